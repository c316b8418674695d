// The faults of an archive in German and French, by their English words in the verifier.

/** @type {Record<string, Record<string, string>>} */
export const FAULTS = {
  de: {
    "no public random value belongs here": "hier gehört kein öffentlicher Zufallswert hin",
    "the stage has no public random value": "dem Abschnitt fehlt der öffentliche Zufallswert",
    "the round of the row is another": "die Registerzeile nennt eine andere Runde",
    "the phase has no public random value": "der Phase fehlt der öffentliche Zufallswert",
    "the signature has a wrong form": "die Unterschrift hat eine falsche Form",
    "the round is not the first one 30 seconds after the closing":
      "die Runde ist nicht die erste 30 Sekunden nach dem Schluss",
    "the value is not that of its signature": "der Wert ist nicht der seiner Unterschrift",
    "the line cannot be read: {}": "die Zeile ist nicht lesbar: {}",
    "the file ends within this line": "die Datei endet mitten in dieser Zeile",
    "the file ends too early: its last line is missing":
      "die Datei endet zu früh: Die letzte Zeile fehlt",
    "the line is not canonical JSON": "die Zeile ist kein kanonisches JSON",
    "there is something after the last line": "nach der letzten Zeile steht noch etwas",
    "the last line counts other lines before it":
      "die letzte Zeile nennt eine andere Zahl von Zeilen",
    "the file was changed after it was written": "die Datei wurde nachträglich geändert",
    "the line belongs to no battle": "die Zeile gehört zu keinem Gefecht",
    "the file is too long": "die Datei ist zu groß",
    "a line '{}' within a stage": "eine Zeile „{}“ innerhalb eines Abschnitts",
    "there is something after the last row": "nach der letzten Registerzeile steht noch etwas",
    "the war names an unknown source of public dice":
      "der Krieg nennt eine unbekannte Quelle öffentlicher Würfel",
    "the scenario has another hash": "das Szenario hat eine andere Prüfsumme",
    "the war it was forked from is missing": "der Krieg, von dem dieser abzweigt, fehlt",
    "the row has another hash": "die Registerzeile hat eine andere Prüfsumme",
    "the war is no fork": "der Krieg ist keine Abzweigung",
    "the other war does not cover the first '{}'": "der andere Krieg belegt den Anfang „{}“ nicht",
    "this is not an archive of this format": "das ist kein Archiv in diesem Format",
    "the seed is not in this archive: use the Python verifier":
      "der Startwert ist nicht in diesem Archiv: Nimm das Prüfprogramm in Python",
    "the seed is not the committed one":
      "der Startwert ist nicht der, auf den sich der Krieg festgelegt hat",
    "the act has another hash": "die Handlung hat eine andere Prüfsumme",
    "the orders of {} do not match their digest":
      "die Befehle von {} passen nicht zu ihrer Prüfsumme",
    "the nonce of {} is another": "der Zufallswert von {} ist ein anderer",
    "battle {}: a stop is missing": "Gefecht {}: Eine Phase fehlt",
    "battle {}, stop {}: the chain is broken": "Gefecht {}, Phase {}: Die Kette ist unterbrochen",
    "the stage has no world or no events": "dem Abschnitt fehlen Welt oder Ereignisse",
    "the views are not those of the factions": "die Ansichten sind nicht die der Fraktionen",
    "the world has another hash": "die Welt hat eine andere Prüfsumme",
    "the view of {} has another hash": "die Ansicht von {} hat eine andere Prüfsumme",
    "a row is missing": "eine Registerzeile fehlt",
    "the row is later than the end of its timeline":
      "die Registerzeile kommt nach dem Ende ihrer Zeitlinie",
    "the chain of rows is broken": "die Kette der Registerzeilen ist unterbrochen",
    "the digests of the row are others": "die Registerzeile hat andere Prüfsummen von Befehlen",
    "the week of the row is another": "die Registerzeile nennt eine andere Woche",
    "the stage of the row is another": "die Registerzeile nennt einen anderen Abschnitt",
    "the schema of the row is another": "die Registerzeile hat eine andere Form",
    "how often the stage opened is another":
      "die Registerzeile nennt eine andere Zahl von Öffnungen des Abschnitts",
    "there is no line of its branch": "die Zeile ihrer Zeitlinie fehlt",
    "the branch does not begin as its first row says":
      "die Zeitlinie beginnt anders, als ihre erste Registerzeile sagt",
    "a row within a branch has an opening":
      "eine Registerzeile mitten in einer Zeitlinie nennt einen Anfang",
    "the opening of the branch is another": "die Zeitlinie hat einen anderen Anfang",
    "the shares of the row are others": "die Registerzeile hat andere Würfelanteile",
    "the closing of the row is another": "die Registerzeile nennt einen anderen Schluss",
    "the entropy of the row is another": "die Registerzeile hat eine andere Entropie",
    "dice are reserved with another number": "Würfel sind mit einer anderen Nummer vorgemerkt",
    "these dice were not reserved": "diese Würfel waren nicht vorgemerkt",
    "other dice were reserved": "vorgemerkt waren andere Würfel",
    "the leaf {} is not what the lines say": "das Blatt {} passt nicht zu den Zeilen",
    "its leaves are others": "die Registerzeile hat andere Blätter",
    "the outcome is not that of the stage": "das Ergebnis ist nicht das des Abschnitts",
    "the key of these dice is not one of this stage":
      "der Schlüssel dieser Würfel gehört nicht zu diesem Abschnitt",
    "{}: a die of {} by {} is another": "{}: Ein Würfel für {} von {} ist ein anderer",
    "the signed head is not that of these rows":
      "der unterschriebene Stand ist nicht der dieser Registerzeilen",
    "another site has signed the head": "eine andere Website hat den Stand unterschrieben",
    "the site's key has not signed this head":
      "der Schlüssel der Website hat diesen Stand nicht unterschrieben",
    "the seed was published while the war went on":
      "der Startwert wurde veröffentlicht, während der Krieg noch lief",
    "the last row publishes another seed":
      "die letzte Registerzeile veröffentlicht einen anderen Startwert",
    "another act stands where the seed is published":
      "an der Stelle der Veröffentlichung steht eine andere Handlung",
    "the last row is another": "die letzte Registerzeile ist eine andere",
    "the line '{}' is not in its place": "die Zeile „{}“ steht nicht an ihrem Platz",
    "the branch of the row is another": "die Registerzeile nennt eine andere Zeitlinie",
    "'{}' of the row is another": "„{}“ der Registerzeile ist anders",
    "the number of the row is another": "die Registerzeile nennt eine andere Nummer",
    "the orders do not match their digest": "die Befehle passen nicht zu ihrer Prüfsumme",
    "the row does not count these orders": "die Registerzeile zählt diese Befehle nicht",
    "one entry counts in each stage": "in jedem Abschnitt zählt genau ein Eintrag",
    "the row does not cover the leaf {}": "die Registerzeile deckt das Blatt {} nicht ab",
    "the line is of another faction": "die Zeile gehört zu einer anderen Fraktion",
    "the leaf {} is not of this faction": "das Blatt {} gehört nicht zu dieser Fraktion",
    "the proof of the leaf {} is missing": "der Beweis des Blatts {} fehlt",
    "the leaf {} is not what the ledger row covers":
      "das Blatt {} ist nicht das, was die Registerzeile abdeckt",
    "the withdrawal word does not belong to the nonce":
      "das Widerrufswort gehört nicht zum Zufallswert",
  },
  fr: {
    "no public random value belongs here": "aucune valeur aléatoire publique n’a sa place ici",
    "the stage has no public random value": "il manque la valeur aléatoire publique de l’étape",
    "the round of the row is another": "la ligne du registre indique un autre tour",
    "the phase has no public random value": "il manque la valeur aléatoire publique de la phase",
    "the signature has a wrong form": "la signature a une mauvaise forme",
    "the round is not the first one 30 seconds after the closing":
      "le tour n’est pas le premier 30 secondes après la clôture",
    "the value is not that of its signature": "la valeur n’est pas celle de sa signature",
    "the line cannot be read: {}": "la ligne est illisible : {}",
    "the file ends within this line": "le fichier s’arrête au milieu de cette ligne",
    "the file ends too early: its last line is missing":
      "le fichier s’arrête trop tôt : sa dernière ligne manque",
    "the line is not canonical JSON": "la ligne n’est pas du JSON canonique",
    "there is something after the last line": "il y a quelque chose après la dernière ligne",
    "the last line counts other lines before it":
      "la dernière ligne compte un autre nombre de lignes",
    "the file was changed after it was written": "le fichier a été modifié après son écriture",
    "the line belongs to no battle": "la ligne n’appartient à aucun combat",
    "the file is too long": "le fichier est trop grand",
    "a line '{}' within a stage": "une ligne « {} » à l’intérieur d’une étape",
    "there is something after the last row":
      "il y a quelque chose après la dernière ligne du registre",
    "the war names an unknown source of public dice":
      "la guerre indique une source inconnue de dés publics",
    "the scenario has another hash": "le scénario a une autre empreinte",
    "the war it was forked from is missing":
      "il manque la guerre dont celle-ci est une bifurcation",
    "the row has another hash": "la ligne du registre a une autre empreinte",
    "the war is no fork": "la guerre n’est pas une bifurcation",
    "the other war does not cover the first '{}'": "l’autre guerre n’atteste pas le début « {} »",
    "this is not an archive of this format": "ce n’est pas une archive de ce format",
    "the seed is not in this archive: use the Python verifier":
      "la graine n’est pas dans cette archive : utilisez le vérificateur en Python",
    "the seed is not the committed one":
      "la graine n’est pas celle sur laquelle la guerre s’est engagée",
    "the act has another hash": "l’acte a une autre empreinte",
    "the orders of {} do not match their digest":
      "les ordres de {} ne correspondent pas à leur empreinte",
    "the nonce of {} is another": "la valeur aléatoire de {} est différente",
    "battle {}: a stop is missing": "combat {} : il manque une phase",
    "battle {}, stop {}: the chain is broken": "combat {}, phase {} : la chaîne est rompue",
    "the stage has no world or no events": "il manque le monde ou les événements de l’étape",
    "the views are not those of the factions": "les vues ne sont pas celles des factions",
    "the world has another hash": "le monde a une autre empreinte",
    "the view of {} has another hash": "la vue de {} a une autre empreinte",
    "a row is missing": "il manque une ligne du registre",
    "the row is later than the end of its timeline":
      "la ligne du registre vient après la fin de sa ligne temporelle",
    "the chain of rows is broken": "la chaîne des lignes du registre est rompue",
    "the digests of the row are others": "la ligne du registre a d’autres empreintes d’ordres",
    "the week of the row is another": "la ligne du registre indique une autre semaine",
    "the stage of the row is another": "la ligne du registre indique une autre étape",
    "the schema of the row is another": "la ligne du registre a une autre forme",
    "how often the stage opened is another":
      "la ligne du registre indique un autre nombre d’ouvertures de l’étape",
    "there is no line of its branch": "il manque la ligne de sa ligne temporelle",
    "the branch does not begin as its first row says":
      "la ligne temporelle ne commence pas comme le dit sa première ligne du registre",
    "a row within a branch has an opening":
      "une ligne du registre au milieu d’une ligne temporelle indique un début",
    "the opening of the branch is another": "la ligne temporelle a un autre début",
    "the shares of the row are others": "la ligne du registre a d’autres parts de dés",
    "the closing of the row is another": "la ligne du registre indique une autre clôture",
    "the entropy of the row is another": "la ligne du registre a une autre entropie",
    "dice are reserved with another number": "des dés sont réservés sous un autre numéro",
    "these dice were not reserved": "ces dés n’étaient pas réservés",
    "other dice were reserved": "d’autres dés étaient réservés",
    "the leaf {} is not what the lines say": "la feuille {} ne correspond pas aux lignes",
    "its leaves are others": "la ligne du registre a d’autres feuilles",
    "the outcome is not that of the stage": "le résultat n’est pas celui de l’étape",
    "the key of these dice is not one of this stage": "la clé de ces dés n’est pas de cette étape",
    "{}: a die of {} by {} is another": "{} : un dé de {} par {} est différent",
    "the signed head is not that of these rows":
      "l’état signé n’est pas celui de ces lignes du registre",
    "another site has signed the head": "un autre site a signé l’état",
    "the site's key has not signed this head": "la clé du site n’a pas signé cet état",
    "the seed was published while the war went on": "la graine a été publiée pendant la guerre",
    "the last row publishes another seed": "la dernière ligne du registre publie une autre graine",
    "another act stands where the seed is published":
      "un autre acte figure à la place de la publication",
    "the last row is another": "la dernière ligne du registre est différente",
    "the line '{}' is not in its place": "la ligne « {} » n’est pas à sa place",
    "the branch of the row is another": "la ligne du registre indique une autre ligne temporelle",
    "'{}' of the row is another": "« {} » de la ligne du registre est différent",
    "the number of the row is another": "la ligne du registre indique un autre numéro",
    "the orders do not match their digest": "les ordres ne correspondent pas à leur empreinte",
    "the row does not count these orders": "la ligne du registre ne compte pas ces ordres",
    "one entry counts in each stage": "une seule entrée compte à chaque étape",
    "the row does not cover the leaf {}": "la ligne du registre ne couvre pas la feuille {}",
    "the line is of another faction": "la ligne appartient à une autre faction",
    "the leaf {} is not of this faction": "la feuille {} n’appartient pas à cette faction",
    "the proof of the leaf {} is missing": "il manque la preuve de la feuille {}",
    "the leaf {} is not what the ledger row covers":
      "la feuille {} n’est pas ce que couvre la ligne du registre",
    "the withdrawal word does not belong to the nonce":
      "le mot de retrait ne correspond pas à la valeur aléatoire",
  },
};
