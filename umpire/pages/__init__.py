"""HTML pages of umpires, hosts and the public."""
