### Scellis auf Deutsch. Dieselben Ids wie en.ftl.

## Der Rahmen

skip = Zum Inhalt springen
brand-label = Scellis, zum Start
rail-label = Ansichten
rail-start = Start
rail-run = Lauf
rail-train = Training
rail-pool = Pool
rail-runs = Läufe
rail-limits = Grenzen
rail-record = Protokoll
language-label = Sprache
theme-label = Farbschema: { $theme }
theme-auto = wie das System
theme-light = hell
theme-dark = dunkel
boot-label = Python wird geladen
boot-python = Python { $percent }
boot-ready = Python bereit
boot-failed = Python steht
boot-restarting = Es wird neu gestartet. Gespeicherte Läufe bleiben erhalten.
boot-files = Der Interpreter wird geladen
boot-packages = Pakete werden eingerichtet
boot-start = Start
offline-update = Eine neue Fassung dieser Seite liegt bereit. Ihre Läufe bleiben erhalten.
offline-replaced = Ein anderer Tab hat die neue Fassung übernommen. Dieser zeigt noch die alte.
offline-ready = öffnet auch ohne Netz
offline-installing = wird für die Nutzung ohne Netz gesichert
offline-unavailable = öffnet nicht ohne Netz: dieser Browser behält hier keine Seiten
offline-failed = öffnet nicht ohne Netz: die Dateien konnten nicht gesichert werden

## Zahlen und Zeit

percent = { $value }{ "\u00A0" }%
plus-minus = ± { $value }
about = etwa { $time }
rate = { $rate } Ziehungen/s
rate-short = { $rate }/s
duration-unknown = unbekannt
duration-instant = weniger als 1 s
duration-seconds = { $s } s
duration-minutes = { $min } min { $s } s
duration-hours = { $h } h { $min } min
duration-days = { $d ->
    [one] { $d } Tag
   *[other] { $d } Tage
  }

## Handlungen

action-run = Starten
action-stop = Anhalten
action-stopping = Hält an
action-starting = Startet
action-resume = Fortsetzen
action-train = Trainieren
action-compiling = Wird übersetzt
action-pause = Pause
action-pausing = Hält an
action-go-on = Weiter
action-anew = Neu beginnen
action-keep = Behalten
action-open-text = Diese Vorschrift öffnen
action-more-trainings = Weitere Modelle und eigene Vorschriften
action-open = Öffnen
action-open-example = „{ $title }“ öffnen
action-open-record = Protokoll öffnen
action-choose-file = Datei wählen
action-pool = Mit meinen Geräten rechnen
action-show-pool = Pool zeigen
action-show-result = Ergebnis zeigen
action-join = Beitreten
action-share = Link teilen
action-replay = Shard nachrechnen
action-replaying = Rechnet nach
action-retry = Erneut versuchen
action-restart = Python neu starten
action-reload = Neu laden
action-dismiss = Ausblenden
action-close = Schließen
action-copy = Kopieren: { $name }
copied = Kopiert: { $name }

## Zustände eines Laufs

state-ready = bereit
state-watching = sieht zu
state-running = läuft
state-stopping = hält an
state-interrupted = unterbrochen
state-verifying = wird geprüft
state-done = geprüft
state-failed = gescheitert
announce-done = Der Lauf ist geprüft. { $estimate }
announce-failed = Der Lauf ist gescheitert.
announce-interrupted = Der Lauf ist unterbrochen. Er kann fortgesetzt werden.

## Dieses Gerät

device-title = Dieses Gerät
device-webgpu = WebGPU
device-native = GPU, nativ
device-cpu = CPU-Pfad
device-unknown = noch unbekannt
device-waiting = Python fragt das Gerät, sobald es geladen ist.
device-lacks = ohne { $features }
storage-opfs = Ergebnisse bleiben in diesem Browser
storage-idb = Ergebnisse bleiben in diesem Browser
storage-memory = nicht gespeichert: dieser Browser verweigert den Speicher
storage-not-persisted = der Browser darf sie löschen

## Start

start-title = Wie sicher ist das Ergebnis?
start-lead = Scellis zieht aus den Verteilungen Ihrer Eingangsgrößen, wertet Ihr Modell auf diesem Gerät aus und zeigt, was das Ergebnis wert ist. Nichts verlässt diesen Tab, solange Sie nicht mit anderen Geräten rechnen.
door-simulate = Simulieren
door-simulate-about = Verteilungen durch ein Messmodell fortpflanzen, mit Monte Carlo (JCGM 101).
door-train = Trainieren
door-train-about = Ein Modell in diesem Tab trainieren, nach einer Vorschrift, die jede Zahl festlegt: Daten, Schichten, Startwert.
door-pool = Gemeinsam rechnen
door-pool-about = Lassen Sie Ihre anderen Geräte Teile desselben Laufs rechnen. Sie erhalten einen Link und einen QR-Code; jedes Gerät wird gefragt, bevor es rechnet.
example-gauge-block = Kalibrierung eines Parallelendmaßes
example-gauge-block-about = Wie viel länger als 50 mm ist dieser Stahlkörper, verglichen mit einem kalibrierten Normal?
example-gauge-block-kind = Neun Eingangsgrößen, JCGM 101, 9.5
example-saturating = Verhältnis hinter einer Sättigungskurve
example-saturating-about = Eine Referenz durch den gebundenen Anteil eines Tests, der sättigt. Die Fortpflanzung erster Ordnung unterschätzt das Risiko.
example-saturating-kind = Sieben Eingangsgrößen, eine Zahl ohne Einheit
example-own = Eigenes Programm
example-unit = Ergebnis in { $unit }
own-title = Ein eigenes Programm öffnen
own-label = Programmtext (SML)
own-placeholder = sml: 1
    title: …
    inputs: …
recent-title = Letzte Läufe
recent-empty = Noch keine Läufe. Was Sie rechnen, bleibt in diesem Browser und steht dann hier, Unterbrochenes zuerst.

## Lauf: Schätzwert, Plan, Fortschritt

run-title = Lauf
run-empty = Kein Lauf ist offen. Hier sehen Sie dann den Plan, den Schätzwert und die Verteilung.
estimate-title = Schätzwert
estimate-caption = Wert ± Standardunsicherheit
estimate-interval = { $coverage } { $interval }
estimate-mean = Mittel ± σ/√N
estimate-ends = Intervallenden
estimate-draws = Ziehungen
progress-label = Angenommene Shards
progress-done = { $computed } von { $shards } Shards gerechnet, { $accepted } angenommen
progress-left = noch { $time }
progress-expected = etwa { $time } auf diesem Gerät
progress-stopping = hält an
progress-interrupted = unterbrochen: nichts Angenommenes geht verloren
progress-watching = nur zugesehen: andere rechnen
progress-complete = vollständig
progress-failed = gescheitert
plan-title = Plan
plan-pilot = Der Vorlauf ermittelt, wie viele Ziehungen nötig sind.
plan-python = Python wird geladen. Der Plan folgt sofort.
plan-summary = { $draws } Ziehungen, in { $shards } Shards zu { $each }.
plan-linearised = Schätzwert erster Ordnung
plan-linearised-hint = { $coverage } { $interval }, vor jeder Ziehung
plan-sigma = Streuung des Ergebnisses, σ
plan-sigma-hint = aus dem Vorlauf, der nicht ins Ergebnis eingeht
plan-wished = Gewünschter Standardfehler des Mittels
plan-wished-hint = im Programm festgelegt
plan-needed = Nötige Ziehungen
plan-needed-hint = (σ / Standardfehler)²
plan-shards = Nötige Shards
plan-shards-value = { $needed ->
    [one] { $needed } Shard
   *[other] { $needed } Shards
  }
plan-shards-hint = der Auftrag hat { $shards }, zu je { $each } Ziehungen
plan-time = Zeit auf diesem Gerät
plan-too-few-shards = Der Auftrag hat { $shards } Shards, der gewünschte Standardfehler braucht { $needed }. Das Ergebnis wird unsicherer als gewünscht.
plan-no-url = Eine Lauf-URL fasst höchstens { $limit } Shards; dieser Auftrag hat { $shards }, sein Ergebnis wird also keine URL haben. Weniger, größere Shards schon.
plan-linear-law-too-small = Der Vorlauf streut weiter, als die Fortpflanzung erster Ordnung sagt. Sehen Sie den Ausläufer an, bevor Sie ± u vertrauen.

## Lauf: Bilder

histogram-title = Verteilung des Ergebnisses
histogram-description = Histogramm des Ergebnisses. Gezogen: { $estimate }, Intervall { $interval }. Linearisiertes Intervall { $linearised }: { $below } der Ziehungen liegen darunter, { $above } darüber.
histogram-outside = Außerhalb der Klassen, aber gezählt: { $underflow ->
    [one] { $underflow } Ziehung
   *[other] { $underflow } Ziehungen
  } darunter, { $overflow } darüber.
scale-label = Skala der Dichte
scale-linear = linear
scale-logarithmic = log
key-sampled = gezogen
key-linearised = linearisiert (erste Ordnung)
key-missed = Ziehungen außerhalb des linearisierten Intervalls
key-sampled-short = gezogen
key-linearised-short = linearisiert
bracket-sampled = gezogen { $coverage }
bracket-linearised = linearisiert { $coverage }
axis-quantity = { $name } / { $unit }
axis-quantity-one = { $name }
axis-result = Ergebnis
axis-density = Dichte / { $unit }
axis-density-one = Dichte
trace-title = Verlauf
trace-mean = Mittel, mit σ/√N zu beiden Seiten
trace-error = σ/√N fällt zum gewünschten Wert
trace-mean-description = Das Mittel über die Ziehungen bisher, jetzt { $estimate }.
trace-error-description = Der Standardfehler über die Ziehungen bisher, jetzt { $error } nach { $draws } Ziehungen.
comparison-title = Gezogen gegen linearisiert
comparison-mean = Wert
comparison-std = Standardunsicherheit
comparison-interval = Intervall
comparison-outside = Ziehungen darunter / darüber
comparison-shares = { $below } / { $above }
verdict-waiting = Beide werden verglichen, sobald es ein Intervall gibt.
verdict-validated = Die Fortpflanzung erster Ordnung gilt hier: die Intervallenden stimmen auf { $tolerance } überein (JCGM 101, 8).
verdict-not-validated = Die Fortpflanzung erster Ordnung gilt hier nicht: ihre Intervallenden liegen um { $low } und { $high } daneben, erlaubt ist { $tolerance } (JCGM 101, 8).
verdict-u-small = Ihre Standardunsicherheit ist um { $share } zu klein.
verdict-u-large = Ihre Standardunsicherheit ist um { $share } zu groß.
verdict-mean-above = Das Mittel liegt über ihrem Wert, um { $share } von u.
verdict-mean-below = Das Mittel liegt unter ihrem Wert, um { $share } von u.
interval-refused = Kein Intervall: { $reason ->
    [no-draws] noch ist nichts gezogen.
    [few-draws] zu wenige Ziehungen für diese Überdeckung: mindestens zehn sollen außerhalb liegen.
    [range-narrow] der vom Vorlauf festgelegte Bereich hält weniger als die Überdeckung.
    [end-outside] ein Ende liegt unter Ziehungen außerhalb des vom Vorlauf festgelegten Bereichs.
   *[other] { $reason }.
  }

## Was feststeht

pinned-title = Festgelegt
pinned-program = Programm
pinned-partition = Aufteilung
pinned-partition-value = { $name }: { $shards } × { $each } Ziehungen
pinned-partition-shards = { $name }: { $shards } Shards
pinned-seed = Startwert
pinned-tier = Stufe
pinned-engine = Engine
pinned-device = Gerät
pinned-job = Auftrag
pinned-result = Ergebnis
pinned-url = URL des Laufs
pinned-url-later = Der Lauf hat eine URL, sobald er geprüft ist.
pinned-text = Programmtext
tier-debug = zwei Läufe sind Bit für Bit gleich, auf demselben Gerät und Build
tier-prod = Geräte stimmen innerhalb der erklärten Toleranz überein
tier-fast = eingebaute Funktionen, innerhalb einer weiteren Toleranz

## Hinweise

notice-not-saved = Dieser Browser verweigert den Speicher: der Lauf ist nicht gespeichert. Lassen Sie diesen Tab offen.
run-nonfinite = { $count } Ziehungen des Programms sind keine endlichen Zahlen. Sie gehen in keinen Mittelwert, keine Abweichung und kein Intervall ein.
run-device-recovered = Die GPU ging verloren und wurde wieder aufgenommen. Angenommene Shards blieben erhalten.
pool-fault = Im Pool ist etwas gescheitert. Wortlaut: { $message }
pool-mismatch = Zwei Geräte sind sich bei Shard { $shard } uneins. Der Schiedsrichter entscheidet; ein falsches Ergebnis wird ersetzt.
pool-bytes-lost = Ergebnisse von Gerät { $peer } gingen mit ihm verloren und werden neu gerechnet.
pool-result-differs = Gerät { $peer } kam zu einem anderen Gesamtergebnis als dieses.
pool-wrong-ruling = Gerät { $peer } wurde ausgeschlossen: sein Schiedsspruch war falsch.
pool-wrong-check = Gerät { $peer } wurde ausgeschlossen: seine Prüfung war falsch.
pool-wrong-result = Gerät { $peer } wurde ausgeschlossen: sein Ergebnis war falsch. Alles andere von ihm wird noch einmal geprüft.
pool-withheld = Gerät { $peer } wurde ausgeschlossen: es lieferte ein ausgelostes Ergebnis nicht.
pool-no-checker = Ergebnisse warten auf die Prüfung: kein anderes Gerät, das zugestimmt hat, ist da.

## Pool

pool-title = Pool
pool-state-none = kein Pool
pool-state-opening = wird geöffnet
pool-state-open = offen
pool-state-joining = tritt bei
pool-state-waiting-consent = wartet auf Ihre Zustimmung
pool-state-watching = sieht zu
pool-state-joined = beigetreten
pool-state-lost = Verbindung verloren
pool-state-sealed = versiegelt
pool-state-left = verlassen
pool-lead-none = Mehrere Ihrer Geräte teilen sich einen Lauf. Jedes Ergebnis wird festgelegt, von einem anderen Gerät geprüft und erst dann gezählt.
pool-lead-opening = Der Pool wird geöffnet.
pool-lead-open = Laden Sie Geräte über den Link ein und drücken Sie dann „Starten“. Ein Gerät rechnet, sobald dort jemand zustimmt.
pool-lead-running = Geräte können über den Link jederzeit beitreten.
pool-lead-joining = Dieses Gerät bittet um Beitritt.
pool-lead-waiting-consent = Auf diesem Gerät wird nichts gerechnet, bevor Sie zustimmen.
pool-lead-watching = Dieses Gerät sieht zu: auf ihm wird nichts gerechnet. Das Ergebnis wird auch hier stehen.
pool-lead-joined = Dieses Gerät rechnet für den Pool, solange dieser Tab offen ist.
pool-lead-lost = Der Koordinator antwortet nicht. Angenommene Shards bleiben erhalten; die Seite versucht es weiter.
pool-lead-sealed = Der Lauf ist vollständig, geprüft und versiegelt.
pool-lead-left = Dieses Gerät hat den Pool verlassen. Ergebnisse, die noch kein anderes Gerät hält, rechnen andere neu. Setzen Sie fort, um wieder mitzurechnen.
pool-create-title = Meine Geräte einladen
pool-create-about = Öffnet den Lauf, den Sie hier haben, für Ihre anderen Geräte.
pool-shares = Geteilt wird: { $title }
pool-needs-run = Öffnen Sie zuerst ein Programm: geteilt wird der offene Lauf.
pool-join-title = Mit einem Link beitreten
pool-join-about = Sie haben den Link eines Pools und können seinen Code nicht fotografieren.
pool-link-label = Link des Pools
pool-link-placeholder = https://…#pool=…
pool-inputs-sentence = Wer Ihren Auftrag rechnet, hat seine Eingangsdaten: laden Sie Geräte ein, die Ihnen gehören.
pool-will-show = Hier sehen Sie dann, welches Gerät welchen Shard hat und wie jeder geprüft wurde.
invitation-title = Einladung
invitation-about = Öffnen Sie diesen Link auf einem anderen Gerät, oder fotografieren Sie den Code.
invitation-local = Die Adresse dieser Seite kennt nur dieser Computer: andere Browser hier können den Link öffnen, andere Geräte nicht. Starten Sie den Server mit --host, hinter https.
invitation-link = Link des Pools
invitation-code = QR-Code des Links
invitation-no-code = Der Link ist zu lang für einen Code. Senden Sie den Link.
consent-title = Darf dieses Gerät rechnen?
consent-what = Sie wurden zu „{ $title }“ eingeladen: { $draws } Ziehungen in { $shards } Shards.
consent-what-unknown = Sie wurden eingeladen, Teile eines Laufs zu rechnen.
consent-nothing = Hier wurde nichts gerechnet, und nichts wird gerechnet, bevor Sie zustimmen.
consent-uses = Es nutzt GPU oder Prozessor dieses Geräts, solange dieser Tab offen ist, und damit Strom.
consent-inputs = Wer einen Auftrag rechnet, hat seine Eingangsdaten: dieses Gerät erhält die der Person, die Sie eingeladen hat.
consent-stop = Zum Beenden wählen Sie „Nur zusehen“ oder schließen den Tab. Auf diesem Gerät werden Sie einmal gefragt.
consent-give = Rechnen lassen
consent-refuse = Nur zusehen
peers-title = Geräte
peer-shards = { $shards ->
    [one] { $shards } Shard
   *[other] { $shards } Shards
  }
peer-leased = { $leased } vergeben
peer-name = Gerät { $number }
peer-you = dieses
peer-waiting = sieht nur zu
peer-silent = still
peer-aside = ausgeschlossen
peer-live = aktiv

## Shardtafel

board-title = Shards
board-label = Shard
board-accepted = { $accepted } von { $shards } Shards sind angenommen: { $reexecuted } nachgerechnet, { $batch } im Stapel geprüft.
board-moving = { $leased } sind vergeben und { $waiting } warten auf Prüfung, bei { $devices ->
    [one] { $devices } Gerät
   *[other] { $devices } Geräten
  }.
board-stale = { $stale ->
    [one] { $stale } Vergabe ist verfallen und geht an ein anderes Gerät.
   *[other] { $stale } Vergaben sind verfallen und gehen an andere Geräte.
  }
board-refused = { $refused ->
    [one] { $refused } wurde abgelehnt.
   *[other] { $refused } wurden abgelehnt.
  }
board-queued = { $queued ->
    [one] { $queued } wartet.
   *[other] { $queued } warten.
  }
board-blocks = Eine Zelle steht für { $size } Shards und zeigt, was die meisten von ihnen sind.
board-cell = Shard { $shard }, { $state }
board-cell-held = Shard { $shard }, { $state }, Gerät { $device }
board-block = Shards { $shard } bis { $last }, meist { $state }
board-block-held = Shards { $shard } bis { $last }, meist { $state }, Gerät { $device }
cell-queued = wartend
cell-leased = vergeben
cell-stale = verfallen
cell-committed = festgelegt
cell-drawn = zur Prüfung ausgelost
cell-batch-checked = im Stapel geprüft
cell-re-executed = nachgerechnet
cell-refused = abgelehnt
shard-title = Verlauf eines Shards
shard-number = Shard
shard-hint = Wählen Sie ein Feld der Tafel, oder geben Sie seine Nummer ein.
shard-untouched = Mit diesem Shard ist noch nichts geschehen.
shard-epoch = Epoche { $epoch }
shard-at = nach { $seconds } s
shard-address = Zustand des Shards
event-queued = wartet
event-leased = vergeben an Gerät { $device }
event-stale = Vergabe an Gerät { $device } verfallen
event-committed = von Gerät { $device } festgelegt
event-drawn = zur Prüfung ausgelost
event-check = hier geprüft
event-ruling = hier vom Schiedsrichter gerechnet
event-missing = seine Bytes waren für die Prüfung nicht zu bekommen
event-re-executed = angenommen, nachgerechnet
event-batch-checked = mit seinem geprüften Stapel angenommen
event-refused = abgelehnt

## Protokoll und Nachrechnung

record-title = Protokoll eines Laufs
record-lead = Allein aus der URL gelesen: kein Server wurde gefragt.
record-waiting = Das Protokoll wird gelesen. Es erscheint, sobald Python geladen ist.
record-engine-differs = Diesen Lauf rechnete die Engine { $engine }, nicht die dieser Seite. Eine Nachrechnung kann in ihren Bits abweichen.
checks-title = Wie geprüft wurde
checks-re-executed-about = von einem anderen Gerät oder auf dem CPU-Pfad ein zweites Mal gerechnet und verglichen
checks-batch-checked-about = in einem Stapel festgelegt, aus dem andere Shards ausgelost und nachgerechnet wurden
replay-title = Einen Shard nachrechnen
replay-about = Rechnet diesen einen Shard auf diesem Gerät noch einmal und vergleicht ihn mit dem Protokoll.
replay-shard = Shard
replay-ours = Hier nachgerechnet
replay-theirs = Im Protokoll
replay-device = Gerät
replay-same = Shard { $shard }: dieselben Bits.
replay-within = Shard { $shard }: stimmt innerhalb der Toleranz überein.
replay-differs = Shard { $shard }: weicht vom Protokoll ab.
replay-moments = Verglichen wurden Anzahl, Mittel und Varianz. Die Klassen enthält die URL nicht.

## Was eine Prüfung fand

finding-bins = { $found } Klassen statt { $expected }
finding-count = { $finite } endliche und { $other } andere Ziehungen statt { $finite_expected } und { $other_expected }
finding-binned = Die Klassen enthalten { $found } Ziehungen statt { $expected }
finding-mean = Der Mittelwert weicht um { $by } ab; erlaubt ist { $allowed }
finding-m2 = Die Quadratsumme weicht um { $by } ab; erlaubt ist { $allowed }
finding-moved = { $moved } Ziehungen liegen in anderen Klassen; { $allowed } dürfen es
finding-secret = Das aufgedeckte Geheimnis ist nicht das, auf das sich der Pool festgelegt hat
finding-not-checked = Shard { $shard } wurde gezogen und nicht erneut gerechnet
finding-uncommitted = Shard { $shard } wurde gegenüber dem Eigentümer nie festgelegt
finding-folded = Dieses Gerät kam auf { $here }, der Pool wurde über { $sealed } versiegelt

## Läufe

runs-title = Läufe
runs-lead = Was in diesem Browser gerechnet wurde, Unterbrochenes zuerst.

## Training

train-title = Training
train-lead = Eine Vorschrift nennt die Daten, die Schichten und wie sie trainiert werden. Trainiert wird auf diesem Gerät, die Sicherungspunkte bleiben in diesem Browser.
train-empty = Kein Modell ist offen. Hier sehen Sie dann, wie der Verlust fällt, die Epochen und worauf sie beruhen.
train-tier = Stufe { $tier }
trainings-label = Beispiele
training-digits-mlp = Handgeschriebene Ziffern, Perzeptron
training-digits-mlp-about = Handgeschriebene Ziffern, 8 mal 8 Bildpunkte, mit einem Perzeptron aus zwei Schichten.
training-digits-cnn = Handgeschriebene Ziffern, Faltungen
training-digits-cnn-about = Handgeschriebene Ziffern mit einem kleinen Faltungsnetz, trainiert an verschobenen Ziffern.
training-book-transformer = Buchstaben von Moby-Dick
training-book-transformer-about = Ein kleiner Transformer, der Moby-Dick Buchstabe für Buchstabe liest und sagt, welcher als nächster kommt.
training-iris = Schwertlilien
training-iris-about = Welche Art von Schwertlilie eine Blüte ist, aus vier Längen.
training-breast-cancer = Brusttumoren
training-breast-cancer-about = Ob ein Brusttumor gutartig ist, aus dreißig Maßen seiner Zellen.
training-diabetes = Verlauf von Diabetes
training-diabetes-about = Wie Diabetes binnen eines Jahres fortschreitet, eine Zahl von 25 bis 346, aus zehn Messwerten.
training-state-ready = bereit
training-state-compiling = wird übersetzt
training-state-running = läuft
training-state-pausing = hält an
training-state-paused = pausiert
training-state-interrupted = unterbrochen
training-state-elsewhere = läuft in einem anderen Tab
training-state-done = fertig trainiert
training-state-early-stop = früh beendet: nicht mehr besser
training-state-too-large = zu groß für das Gerät
training-state-fault = gescheitert
announce-training-done = Das Modell ist fertig trainiert.
announce-training-early-stop = Das Training endete früh: es wurde nicht mehr besser.
announce-training-fault = Das Training ist gescheitert. Es kann vom letzten Sicherungspunkt weitergehen.
training-progress = Getane Schritte
training-opening = Die Daten werden gelesen, der Schritt wird übersetzt.
training-python = Python wird geladen. Das Training wird sofort geöffnet.
training-step = Schritt { $step } von { $total }
training-epoch = Epoche { $epoch } von { $epochs }
training-rate = { $rate } Schritte/s
training-kept = gesichert bei Schritt { $step }
training-resumed = fortgesetzt ab Schritt { $step }
training-skipped = { $skipped ->
    [one] { $skipped } Schritt ausgelassen: seine Gradienten liefen über
   *[other] { $skipped } Schritte ausgelassen: ihre Gradienten liefen über
  }
training-slow = Das ist der CPU-Pfad: ohne WebGPU werden dieselben Schritte gerechnet, nur weit langsamer.
training-not-saved = Dieser Browser verweigert den Speicher: Sicherungspunkte gehen mit diesem Tab verloren. Lassen Sie ihn offen.
training-elsewhere = Ein anderer Tab oder ein anderes Fenster dieses Browsers trainiert das gerade. Sobald es dort pausiert oder endet, erscheint es wieder hier.
training-interrupted = Der Tab wurde geschlossen oder brach ab, während trainiert wurde. { $step ->
    [0] Noch war nichts gesichert: es beginnt von vorn.
   *[other] Die Sicherung bei Schritt { $step } ist heil: von dort geht es weiter, zum selben Ergebnis.
  }
training-unkept = Der Stand bei Schritt { $step } konnte nicht gesichert werden. { $kept ->
    [0] Ein früherer ist nicht gesichert.
   *[other] Der bei Schritt { $kept } ist heil.
  } Was seither kam, hat nur dieser Tab: lassen Sie ihn offen, schaffen Sie Platz und drücken Sie „Weiter“.
training-room = Die Sicherungspunkte brauchen noch { $needed } (je { $each }), und dieser Browser hat für diese Seite noch { $free }. Schaffen Sie Platz auf diesem Gerät, beginnen Sie andere Trainings neu, oder lassen Sie die Beschreibung weniger behalten (checkpoint.keep).
anew-title = Neu beginnen?
anew-what = Die Sicherungspunkte dieser Vorschrift werden vergessen: { $steps ->
    [one] { $steps } Schritt
   *[other] { $steps } Schritte
  } Training.
loss-title = Verlust
loss-description = Verlust bis Schritt { $step }. Training: { $training }. Validierung, nach der letzten Epoche: { $validation }.
figure-training = Training
figure-validation = Validierung
figure-metric = Maß
figure-best = beste Epoche
axis-step = Schritt
axis-loss = Verlust
mark-resumed = fortgesetzt
mark-best = beste
multiples-title = Lernrate, Maße und Gradienten
multiple-lr = Lernrate
multiple-gradient-norm = Gradientennorm
multiple-loss-scale = Verlustskala
multiple-description = { $name } über die Schritte, jetzt { $value } bei Schritt { $step }.
measure-loss = Verlust
measure-accuracy = Trefferquote
measure-binary-accuracy = Trefferquote
measure-top-k-accuracy = Trefferquote, beste k
measure-perplexity = Perplexität
measure-mae = mittlerer Betragsfehler
measure-rmse = RMS-Fehler
epochs-title = Validierung je Epoche
epochs-empty = Jede Epoche wird an zurückgehaltenen Daten gemessen und steht dann hier.
epochs-epoch = Epoche
epochs-best = beste
datasets-title = Daten
datasets-drop = Legen Sie hier eine Datei ab: eine Tabelle (CSV), Felder (NPZ), einen Text. Oder einen Ordner mit Bildern (PNG), je Klasse ein Ordner. Oder den Text eines Datensatzes (.sml) mit seinen Dateien.
datasets-url = Von einer URL
datasets-reading = Die Dateien werden gelesen.
datasets-kept = { $id } ist in diesem Browser gespeichert.
datasets-forgotten = { $id } ist vergessen.
datasets-page = gehört zur Seite
datasets-own = in diesem Browser gespeichert
datasets-from = von { $host }
datasets-about = Die Dateien bleiben in diesem Browser und heißen nach ihrem Hash; geänderte werden zur nächsten Version. Eine Vorschrift nennt einen Datensatz mit seiner Version.
action-choose-files = Dateien wählen
action-choose-folder = Ordner wählen
action-fetch = Holen
action-write-record = Vorschrift schreiben
action-forget = Vergessen
action-dataset-text = Text
action-keep-text = Behalten
action-cancel = Abbrechen
dataset-text-label = Text des Datensatzes (SML)
dataset-text-about = Was aus den Dateien gelesen wird, und als was. Geändert wird er zur nächsten Version; die Dateien bleiben dieselben.
train-pinned-record = Vorschrift
train-pinned-model = Modell
train-pinned-parameters = Parameter
train-pinned-dataset = Daten
train-pinned-data = Hash der Daten
train-pinned-licence = Lizenz
train-pinned-seed = Startwert
train-pinned-tier = Stufe
memory-title = Speicher
memory-summary = { $needed } von { $least ->
    [yes] mindestens { $held }
   *[no] { $held }
  }, { $source }.
memory-probed = auf diesem Gerät versucht
memory-set = wie angegeben
memory-assumed = angenommen, denn WebGPU sagt es nicht
memory-green = passt
memory-yellow = fast voll
memory-red = passt nicht
memory-hopeless = passt bei keiner Batchgröße
memory-parameters = Parameter
memory-master = f32-Hauptkopie
memory-optimizer = Zustand des Optimierers
memory-gradients = Gradienten
memory-activations = Aktivierungen
memory-batch = Batch
memory-workspace = Arbeitsspeicher
memory-validation = Validierung
memory-reading = Auslesen
memory-held = Das Gerät fasst, in GB
memory-none = Nichts, was hier bekannt ist, spart Speicher.
memory-saves = { $size } weniger:
memory-pooling = Ein Verbund vervielfacht den Durchsatz, nicht den Speicher: jedes Gerät hält das ganze Modell.
remedy-accumulate = kleinere Teile eines Batches, mehr davon je Schritt. Dieselben Beispiele in jedem Schritt.
remedy-batch = ein kleinerer Batch. Andere Schritte; eine Lernrate, die für größere gedacht war.
remedy-rematerialise = Aktivierungen für ihre Gradienten neu berechnet. Mehr Zeit, dieselben Bits.
remedy-precision = f16 für Produkte, Hauptgewichte in f32. Andere Rundungen.
action-memory = Was spart Speicher?
action-remedy = Vorschrift so ändern
record-text-title = Vorschrift
record-text-about = Hier steht alles, was das Ergebnis bestimmt. Geändert ist es ein anderes Training, mit eigener Adresse.
record-text-label = Trainingsvorschrift (SML)
record-placeholder = sml: 1
    model: user/…
    data: …

## Grenzen

limits-title = Was Scellis nicht kann
limits-lead = Lesen Sie das, bevor Sie sich auf eine Zahl von hier verlassen.
limits-method = Das Verfahren
limits-method-sampled = Ein Monte-Carlo-Ergebnis ist selbst eine Schätzung. σ/√N sagt, wie weit das Mittel daneben liegen kann; von einem falschen Modell oder falschen Verteilungen sagt es nichts.
limits-method-histogram = Ziehungen werden nicht aufbewahrt. Intervalle kommen aus ihrem Histogramm, ihre Enden sind auf eine Klassenbreite bekannt, und die steht dabei. Ein Intervall, das über die Klassen hinausreicht, wird verweigert.
limits-method-linearised = Das linearisierte Ergebnis steht nur zum Vergleich da. Wo es abweicht, ist an ihm zu zweifeln.
limits-method-correlation = Eingangsgrößen werden unabhängig gezogen. Eine Korrelation muss das Programm ausdrücken, indem es eine Größe aus einer anderen berechnet.
limits-numbers = Die Zahlen
limits-numbers-f32 = Die GPU rechnet mit 32-Bit-Zahlen: etwa sieben Stellen. Eine Länge von 50 000 623 nm hat dort Schritte von 4 nm; darum schreibt man Programme in Abweichungen vom Nennwert. Ein Vorlauf prüft das und verweigert, was sich auslöscht.
limits-numbers-tiers = Zwei verschiedene GPUs müssen nicht dieselben Bits liefern. Sie stimmen innerhalb der Toleranz überein, die die Stufe erklärt; Bits sind nur für den CPU-Pfad desselben Builds versprochen.
limits-numbers-cpu = Ohne WebGPU rechnet der CPU-Pfad. Er ist langsamer, oft um vieles, und sagt es.
limits-pooling = Gemeinsam rechnen
limits-pooling-inputs = Wer Ihren Auftrag rechnet, hat seine Eingangsdaten. Rechnen Sie mit Geräten, die Ihnen gehören.
limits-pooling-assurance = Geprüft wird eine Stichprobe: einige Shards werden zweimal gerechnet, die anderen mit ihrem Stapel angenommen. Sicherheit ist hier eine nachprüfbare Wahrscheinlichkeit, nie Gewissheit.
limits-pooling-suits = Viele unabhängige Teile lassen sich gut verteilen. Ein Teil, der auf einen anderen warten muss, nicht, und kleine Läufe sind auf einem Gerät früher fertig.
limits-pooling-relay = Manche Netze lassen zwei Geräte nicht zueinander. Eine Vermittlung gibt es noch nicht: solche Geräte rechnen, aber ihre Ergebnisse sind nicht abzuholen.
limits-pooling-https = Eine Seite, die über eine einfache http-Adresse Ihres Netzes geöffnet ist, hat kein WebGPU und öffnet sich nicht ohne Netz. Nehmen Sie https oder localhost.
limits-tab = Ein Browser-Tab
limits-tab-hidden = Verdeckte Tabs werden gebremst, und Telefone frieren sie ein. Shards gehen dann an andere Geräte; nichts Angenommenes geht verloren.
limits-tab-storage = Der Browser darf löschen, was er aufbewahrt, und ein privates Fenster bewahrt nichts auf. Sichern Sie, was zählt: die URL des Laufs enthält das Protokoll.
limits-tab-device = Die GPU kann mitten im Lauf verloren gehen, durch einen Treiber oder ein anderes Programm. Sie wird wieder aufgenommen, und nur noch nicht angenommene Shards werden neu gerechnet.
limits-missing = Noch nicht da
limits-missing-training = Training auf mehreren Geräten zugleich. Ein Modell trainiert in einem Tab.
limits-missing-crowd = Mit Fremden rechnen. Nur Ihre eigenen Geräte können sich zusammentun.

## Fehler. { $message } ist Pythons eigener, englischer Satz, der die Stelle kennt.

error-unknown = Etwas ist gescheitert, und mehr ist darüber nicht bekannt.
error-app = Das geht hier nicht. Wortlaut: { $message }
error-app-fault = Ein Fehler im Programm. Wortlaut: { $message }
  .remedy = Bitte melden Sie ihn. Gespeicherte Läufe bleiben erhalten.
error-app-nothing-open = Kein Programm ist offen.
  .remedy = Öffnen Sie zuerst ein Beispiel.
error-boot = Python konnte nicht starten. Wortlaut: { $message }
error-boot-csp = Die Sicherheitsregel dieser Seite ({ $directive }) hat { $blocked } gesperrt.
  .remedy = Die Content-Security-Policy des Servers muss script-src 'self' 'wasm-unsafe-eval' erlauben.
error-boot-mixed = Die Seite und ihre Dateien gehören zu verschiedenen Fassungen: die Seite wurde inzwischen erneuert.
  .remedy = Laden Sie die Seite neu.
error-boot-python = Python ist stehen geblieben. Wortlaut: { $message }
  .remedy = Starten Sie es neu. Gespeicherte Läufe bleiben erhalten.
error-boot-silent = Python startete nicht: { $seconds } s lang war beim Schritt „{ $stage }“ nichts zu hören.
  .remedy = Starten Sie es neu. Bleibt es wieder stehen, laden Sie die Seite neu.
error-boot-worker = Pythons Worker startete nicht: { $reason }.
  .remedy = Laden Sie die Seite neu, oder nehmen Sie einen neueren Browser.
error-catalog = Die Vorschrift ist nicht zulässig. Wortlaut: { $message }
error-checkpoint = Ein Sicherungspunkt ist nicht lesbar. Wortlaut: { $message }
error-content = Ein Inhalt ist nicht lesbar. Wortlaut: { $message }
error-data = Die Daten sind nicht lesbar. Wortlaut: { $message }
error-data-cors = { $host } antwortet, lässt aber Seiten von { $origin } die Antwort nicht lesen: Ihr fehlt der Header Access-Control-Allow-Origin (CORS), mit dem ein Server sagt, wessen Seiten das dürfen.
  .remedy = Laden Sie die Datei herunter und legen Sie sie hier ab. Wer { $host } betreibt, kann „Access-Control-Allow-Origin: *“ senden.
error-data-unreachable = { $host } hat nicht geantwortet.
  .remedy = Prüfen Sie Adresse und Verbindung, oder laden Sie die Datei herunter und legen Sie sie hier ab.
error-data-policy = Die Sicherheitsrichtlinie, mit der diese Seite ausgeliefert wurde, lässt sie { $host } nicht fragen.
  .remedy = Laden Sie die Datei herunter und legen Sie sie hier ab, oder lassen Sie es dort erlauben, wo die Seite ausgeliefert wird (connect-src für static/worker.js).
error-data-status = { $host } antwortet { $status }: Die Datei ist nicht da, oder nicht für alle.
  .remedy = Prüfen Sie die Adresse.
error-file-large = Die Datei „{ $name }“ ist zu groß für ein Programm.
  .remedy = Wählen Sie eine SML-Datei; sie sind einige Kilobyte groß.
error-gpu = Die GPU meldet einen Fehler. Wortlaut: { $message }
error-gpu-lost = Die GPU ging mitten im Lauf verloren. Angenommene Shards bleiben erhalten.
  .remedy = Setzen Sie den Lauf fort.
error-gpu-none = Hier wurde kein WebGPU-Adapter gefunden. Der CPU-Pfad rechnet dieselben Ziehungen, langsamer.
error-gpu-oom = Die GPU hat zu wenig Speicher für diesen Lauf.
  .remedy = Schließen Sie andere Programme, die die GPU nutzen, oder nehmen Sie weniger Ziehungen je Shard.
error-gpu-shader = Die GPU verweigerte den Kernel des Programms. Wortlaut: { $message }
error-graph = Das Programm ist nicht zulässig. Wortlaut: { $message }
error-job = Der Auftrag ist nicht zulässig oder beschädigt. Wortlaut: { $message }
error-job-engine = Der Auftrag wurde für Engine { $wanted } gemacht; dies ist { $have }.
  .remedy = Öffnen Sie ihn mit jener Fassung. Zwischen Engines können Bits abweichen.
error-kernel = Der Auftrag passt nicht auf die GPU. Wortlaut: { $message }
error-oracle = Der CPU-Pfad ist gescheitert. Wortlaut: { $message }
error-plan = Der Vorlauf ist gescheitert. Wortlaut: { $message }
error-plan-cancellation = In 32-Bit-Zahlen löscht sich das Ergebnis zu weit aus. Wortlaut: { $message }
  .remedy = Schreiben Sie das Programm in Abweichungen vom Nennwert, damit sich große Zahlen nicht auslöschen, oder nehmen Sie weniger Ziehungen je Shard.
error-plan-constant = Die Ausgabe des Programms ändert sich nicht: es gibt nichts zu ziehen.
error-plan-nonfinite = { $bad } von { $draws } Ziehungen des Vorlaufs sind keine endlichen Zahlen.
  .remedy = Suchen Sie einen Logarithmus oder eine Wurzel von etwas, das negativ sein kann, oder eine Division durch etwas, das null sein kann.
error-pool = Im Pool ist etwas gescheitert. Wortlaut: { $message }
error-pool-aside = Dieses Gerät wurde ausgeschlossen: ein Ergebnis von ihm war falsch oder kam nicht.
  .remedy = Andere tun seine Arbeit; die Hinweise des Pools sagen, was geschah.
error-pool-consent = Dieses Gerät hat nicht zugestimmt, für den Pool zu rechnen.
error-pool-engine = Der Pool rechnet mit Engine { $wanted }; dieses Gerät hat { $have }.
  .remedy = Laden Sie die Seite hier neu. Hilft das nicht, öffnen Sie die Seite des Pools.
error-pool-full = Der Pool ist voll.
error-pool-invite = Die Einladung gilt nicht.
  .remedy = Bitten Sie um einen neuen Link.
error-pool-link = Das ist kein Einladungslink.
  .remedy = Kopieren Sie die ganze Adresse.
error-pool-none = Neben dieser Seite läuft kein Koordinator, und ein Pool braucht einen.
  .remedy = Öffnen Sie die Seite, die „scellis serve“ anbietet. Allein zu rechnen braucht keinen.
error-pool-replaced = Ein anderer Tab dieses Browsers hat diesen Pool übernommen.
  .remedy = Machen Sie dort weiter, oder schließen Sie ihn und treten Sie erneut bei.
error-pool-unknown = Der Koordinator kennt diesen Pool nicht.
  .remedy = Bitten Sie um einen neuen Link.
error-pool-version = Der Koordinator spricht Poolprotokoll { $wanted }, dieses Gerät { $have }.
  .remedy = Laden Sie die Seite dort neu, wo sie älter ist.
error-record = Das Protokoll ist nicht lesbar. Wortlaut: { $message }
error-record-long = { $message }
  .remedy = Ein Auftrag mit weniger, größeren Teilen hat eine.
error-record-url = Die URL des Laufs ist nicht lesbar. Wortlaut: { $message }
  .remedy = Kopieren Sie die ganze Adresse, bis zum letzten Zeichen.
error-rng = Der Zufallsstrom ist nicht zulässig. Wortlaut: { $message }
error-run = Der Lauf ist gescheitert. Wortlaut: { $message }
error-run-unverified = Das Ergebnis des Pools ist nicht geprüft. Wortlaut: { $message }
  .remedy = Verwenden Sie dieses Ergebnis nicht; fragen Sie, wer den Koordinator betreibt.
error-run-unknown = Dieses Gerät kennt diesen Lauf nicht.
  .remedy = Starten Sie ihn neu.
error-sml = Der Programmtext ist nicht lesbar. Wortlaut: { $message }
error-store = Der Speicher des Browsers meldet einen Fehler. Wortlaut: { $message }
error-store-full = Der Browser hat nicht aufbewahrt, was der Lauf speichern muss. Wortlaut: { $message }
  .remedy = Schaffen Sie Platz, oder erlauben Sie dieser Seite Speicher. Was schon gespeichert war, ist noch da.
error-store-lost = Der Browser hat nicht gelesen, was diese Seite gespeichert hat. Wortlaut: { $message }
  .remedy = Laden Sie die Seite neu.
error-tensor = Die Daten sind beschädigt. Wortlaut: { $message }
error-train = Das Training ist nicht möglich. Wortlaut: { $message }
error-train-elsewhere = Dieses Training läuft in einem anderen Tab oder Fenster dieses Browsers.
  .remedy = Machen Sie dort weiter, oder pausieren Sie es dort zuerst.
