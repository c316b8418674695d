"""Reading and writing of JSON and text; everything that is written reads back the same."""
