### Scellis in English. Ids: where-what. Python's view models name `notice-…`, `plan-…`, `interval-…`, `error-…`.

## The frame

skip = Skip to the content
brand-label = Scellis, to the start
rail-label = Screens
rail-start = Start
rail-run = Run
rail-train = Train
rail-pool = Pool
rail-runs = Runs
rail-limits = Limits
rail-record = Record
language-label = Language
theme-label = Theme: { $theme }
theme-auto = as the system
theme-light = light
theme-dark = dark
boot-label = Python is loading
boot-python = Python { $percent }
boot-ready = Python ready
boot-failed = Python stopped
boot-restarting = It is being started again. Saved runs are kept.
boot-files = Fetching the interpreter
boot-packages = Installing packages
boot-start = Starting
offline-update = A new version of this page lies ready. Your runs are kept.
offline-replaced = Another tab took the new version. This tab still shows the old one.
offline-ready = opens offline
offline-installing = is being kept for use offline
offline-unavailable = cannot be opened offline: this browser keeps no pages here
offline-failed = cannot be opened offline: its files could not be kept

## Numbers and time

percent = { $value }{ "\u00A0" }%
plus-minus = ± { $value }
about = about { $time }
rate = { $rate } draws/s
rate-short = { $rate }/s
duration-unknown = unknown
duration-instant = less than 1 s
duration-seconds = { $s } s
duration-minutes = { $min } min { $s } s
duration-hours = { $h } h { $min } min
duration-days = { $d ->
    [one] { $d } day
   *[other] { $d } days
  }

## Actions

action-run = Run
action-stop = Stop
action-stopping = Stopping
action-starting = Starting
action-resume = Resume
action-train = Train
action-compiling = Compiling
action-pause = Pause
action-pausing = Pausing
action-go-on = Go on
action-anew = Begin anew
action-keep = Keep them
action-open-text = Open this record
action-more-trainings = More models and your own records
action-open = Open
action-open-example = Open “{ $title }”
action-open-record = Open the record
action-choose-file = Choose a file
action-pool = Pool with my devices
action-show-pool = Show the pool
action-show-result = Show the result
action-join = Join
action-share = Share the link
action-replay = Replay shard
action-replaying = Replaying
action-retry = Try again
action-restart = Start Python again
action-reload = Reload
action-dismiss = Dismiss
action-close = Close
action-copy = Copy: { $name }
copied = Copied: { $name }

## States of a run

state-ready = ready
state-watching = watching
state-running = running
state-stopping = stopping
state-interrupted = interrupted
state-verifying = verifying
state-done = verified
state-failed = failed
announce-done = The run is verified. { $estimate }
announce-failed = The run failed.
announce-interrupted = The run is interrupted. It can be resumed.

## This device

device-title = This device
device-webgpu = WebGPU
device-native = native GPU
device-cpu = CPU path
device-unknown = not known yet
device-waiting = Python asks the device as soon as it has loaded.
device-lacks = lacks { $features }
storage-opfs = results are kept in this browser
storage-idb = results are kept in this browser
storage-memory = not saved: this browser refuses storage
storage-not-persisted = the browser may clear them

## Start

start-title = How sure is the result?
start-lead = Scellis draws from the distributions of your inputs, evaluates your model on this device and shows what the result is worth. Nothing leaves this tab unless you pool it.
door-simulate = Simulate
door-simulate-about = Propagate distributions through a measurement model, by Monte Carlo (JCGM 101).
door-train = Train
door-train-about = Train a model in this tab, from a record that pins every number: data, layers, seed.
door-pool = Pool
door-pool-about = Let your other devices compute parts of the same run. You get a link and a QR code; each device is asked before it computes anything.
example-gauge-block = Gauge block calibration
example-gauge-block-about = How much longer than 50 mm is this steel block, compared with a calibrated standard?
example-gauge-block-kind = Nine inputs, JCGM 101, 9.5
example-saturating = Ratio behind a saturating curve
example-saturating-about = A reference over the net bound fraction of an assay that saturates. First-order propagation understates the risk.
example-saturating-kind = Seven inputs, a number without unit
example-own = Your program
example-unit = Result in { $unit }
own-title = Open a program of your own
own-label = Program text (SML)
own-placeholder = sml: 1
    title: …
    inputs: …
recent-title = Recent runs
recent-empty = No runs yet. What you run is kept in this browser and listed here, interrupted runs first.

## Run: estimate, plan, progress

run-title = Run
run-empty = No run is open. Here you will see the plan, the estimate settling and the distribution.
estimate-title = Estimate
estimate-caption = value ± standard uncertainty
estimate-interval = { $coverage } { $interval }
estimate-mean = Mean ± σ/√N
estimate-ends = Interval ends
estimate-draws = Draws
progress-label = Accepted shards
progress-done = { $computed } of { $shards } shards computed, { $accepted } accepted
progress-left = { $time } left
progress-expected = about { $time } on this device
progress-stopping = stopping
progress-interrupted = interrupted: nothing accepted is lost
progress-watching = watched: others compute
progress-complete = complete
progress-failed = failed
plan-title = Plan
plan-pilot = The pilot run finds out how many draws it takes.
plan-python = Python is loading. The plan follows at once.
plan-summary = { $draws } draws, in { $shards } shards of { $each }.
plan-linearised = First-order estimate
plan-linearised-hint = { $coverage } { $interval }, before any draw
plan-sigma = Spread of the result, σ
plan-sigma-hint = from the pilot, which is not part of the result
plan-wished = Wished standard error of the mean
plan-wished-hint = set in the program
plan-needed = Draws needed
plan-needed-hint = (σ / standard error)²
plan-shards = Shards needed
plan-shards-value = { $needed ->
    [one] { $needed } shard
   *[other] { $needed } shards
  }
plan-shards-hint = the job has { $shards }, each of { $each } draws
plan-time = Time on this device
plan-too-few-shards = The job has { $shards } shards, but the wished standard error needs { $needed }. The result will be less sure than wished.
plan-no-url = A run URL holds at most { $limit } shards; this job has { $shards }, so its result will have no URL. Fewer, larger shards would.
plan-linear-law-too-small = The pilot's spread is larger than first-order propagation says. Look at the tail before you trust ± u.

## Run: pictures

histogram-title = Distribution of the result
histogram-description = Histogram of the result. Sampled: { $estimate }, interval { $interval }. Linearised interval { $linearised }: { $below } of the draws lie below it, { $above } above.
histogram-outside = Outside the bins, but counted: { $underflow ->
    [one] { $underflow } draw
   *[other] { $underflow } draws
  } below, { $overflow } above.
scale-label = Scale of the density
scale-linear = linear
scale-logarithmic = log
key-sampled = sampled
key-linearised = linearised (first order)
key-missed = draws outside the linearised interval
key-sampled-short = sampled
key-linearised-short = linearised
bracket-sampled = sampled { $coverage }
bracket-linearised = linearised { $coverage }
axis-quantity = { $name } / { $unit }
axis-quantity-one = { $name }
axis-result = result
axis-density = density / { $unit }
axis-density-one = density
trace-title = Settling
trace-mean = Mean, with σ/√N on both sides
trace-error = σ/√N, falling to the wished value
trace-mean-description = The mean over the draws so far, now { $estimate }.
trace-error-description = The standard error over the draws so far, now { $error } after { $draws } draws.
comparison-title = Sampled against linearised
comparison-mean = Value
comparison-std = Standard uncertainty
comparison-interval = Interval
comparison-outside = Draws below / above it
comparison-shares = { $below } / { $above }
verdict-waiting = Both are compared as soon as there is an interval.
verdict-validated = First-order propagation holds here: the interval ends agree within { $tolerance } (JCGM 101, 8).
verdict-not-validated = First-order propagation does not hold here: its interval ends are off by { $low } and { $high }, where { $tolerance } is allowed (JCGM 101, 8).
verdict-u-small = Its standard uncertainty is { $share } too small.
verdict-u-large = Its standard uncertainty is { $share } too large.
verdict-mean-above = The mean lies above its value, by { $share } of u.
verdict-mean-below = The mean lies below its value, by { $share } of u.
interval-refused = No interval: { $reason ->
    [no-draws] nothing is drawn yet.
    [few-draws] too few draws for this coverage: at least ten are to lie outside.
    [range-narrow] the range that the pilot fixed holds less than the coverage.
    [end-outside] an end lies among draws outside the range that the pilot fixed.
   *[other] { $reason }.
  }

## What is pinned

pinned-title = Pinned
pinned-program = Program
pinned-partition = Partition
pinned-partition-value = { $name }: { $shards } × { $each } draws
pinned-partition-shards = { $name }: { $shards } shards
pinned-seed = Root seed
pinned-tier = Tier
pinned-engine = Engine
pinned-device = Device
pinned-job = Job
pinned-result = Result
pinned-url = URL of the run
pinned-url-later = The run has a URL once it is verified.
pinned-text = Program text
tier-debug = two runs are equal bit by bit on the same device and build
tier-prod = devices agree within the declared tolerance
tier-fast = built-in functions, within a wider tolerance

## Notices

notice-not-saved = This browser refuses storage: the run is not saved. Keep this tab open.
run-nonfinite = { $count } draws of the program are not finite numbers. They are in no mean, no deviation and no interval.
run-device-recovered = The GPU was lost and taken up again. Accepted shards were kept.
pool-fault = { $message }
pool-mismatch = Two devices disagreed on shard { $shard }. The referee decides; a wrong result is replaced.
pool-bytes-lost = Results of device { $peer } were lost with it and are computed again.
pool-result-differs = Device { $peer } folded another result than this one.
pool-wrong-ruling = Device { $peer } was set aside: its ruling was wrong.
pool-wrong-check = Device { $peer } was set aside: its check was wrong.
pool-wrong-result = Device { $peer } was set aside: its result was wrong. All else from it is checked again.
pool-withheld = Device { $peer } was set aside: it did not deliver a result that was drawn.
pool-no-checker = Results wait to be checked: no other device that has agreed is here.

## Pool

pool-title = Pool
pool-state-none = no pool
pool-state-opening = opening
pool-state-open = open
pool-state-joining = joining
pool-state-waiting-consent = waits for your consent
pool-state-watching = watches
pool-state-joined = joined
pool-state-lost = connection lost
pool-state-sealed = sealed
pool-state-left = left
pool-lead-none = Several of your devices share one run. Each result is committed, checked by another device and only then counted.
pool-lead-opening = The pool is being opened.
pool-lead-open = Invite devices by the link, then press Run. A device that joins computes once somebody agrees on it.
pool-lead-running = Devices can still join by the link, at any time.
pool-lead-joining = This device asks to join.
pool-lead-waiting-consent = Nothing is computed on this device until you agree.
pool-lead-watching = This device watches: nothing is computed on it. The result will be here, too.
pool-lead-joined = This device computes for the pool while this tab is open.
pool-lead-lost = The coordinator does not answer. Accepted shards are kept; the page tries again.
pool-lead-sealed = The run is complete, verified and sealed.
pool-lead-left = This device has left the pool. Results of it that no other device holds yet are computed again by others. Resume to take part again.
pool-create-title = Invite my devices
pool-create-about = Opens the run that you have here to your other devices.
pool-shares = Shares: { $title }
pool-needs-run = Open a program first: a pool shares the run that is open.
pool-join-title = Join with a link
pool-join-about = You were given a link to a pool, and cannot photograph its code.
pool-link-label = Link of the pool
pool-link-placeholder = https://…#pool=…
pool-inputs-sentence = Whoever runs your job holds its inputs: invite devices that are yours.
pool-will-show = Here you will see which device holds which shard, and how each was checked.
invitation-title = Invitation
invitation-about = Open this link on another device, or photograph the code.
invitation-local = This page’s address is known to this computer alone: other browsers here can open the link, other devices cannot. Serve with --host, behind https.
invitation-link = link of the pool
invitation-code = QR code of the link
invitation-no-code = The link is too long for a code. Send the link.
consent-title = May this device compute?
consent-what = You were invited to “{ $title }”: { $draws } draws in { $shards } shards.
consent-what-unknown = You were invited to compute parts of a run.
consent-nothing = Nothing has been computed here, and nothing will be until you agree.
consent-uses = It uses this device's GPU or processor while this tab is open, and power with it.
consent-inputs = Whoever runs a job holds its inputs: this device will hold those of the person who invited you.
consent-stop = Choose “Only watch” or close the tab to stop. You are asked once on this device.
consent-give = Let it compute
consent-refuse = Only watch
peers-title = Devices
peer-shards = { $shards ->
    [one] { $shards } shard
   *[other] { $shards } shards
  }
peer-leased = { $leased } leased
peer-name = Device { $number }
peer-you = this one
peer-waiting = only watches
peer-silent = silent
peer-aside = set aside
peer-live = live

## Shard board

board-title = Shards
board-label = Shard
board-accepted = { $accepted } of { $shards } shards are accepted: { $reexecuted } re-executed, { $batch } batch-checked.
board-moving = { $leased } are leased and { $waiting } wait for a check, among { $devices ->
    [one] { $devices } device
   *[other] { $devices } devices
  }.
board-stale = { $stale ->
    [one] { $stale } lease is stale and goes to another device.
   *[other] { $stale } leases are stale and go to other devices.
  }
board-refused = { $refused ->
    [one] { $refused } was refused.
   *[other] { $refused } were refused.
  }
board-queued = { $queued ->
    [one] { $queued } is queued.
   *[other] { $queued } are queued.
  }
board-blocks = One cell stands for { $size } shards and shows what most of them are.
board-cell = shard { $shard }, { $state }
board-cell-held = shard { $shard }, { $state }, device { $device }
board-block = shards { $shard } to { $last }, mostly { $state }
board-block-held = shards { $shard } to { $last }, mostly { $state }, device { $device }
cell-queued = queued
cell-leased = leased
cell-stale = stale
cell-committed = committed
cell-drawn = drawn for a check
cell-batch-checked = batch-checked
cell-re-executed = re-executed
cell-refused = refused
shard-title = History of a shard
shard-number = Shard
shard-hint = Choose a cell of the board, or type its number.
shard-untouched = Nothing has happened to this shard yet.
shard-epoch = epoch { $epoch }
shard-at = after { $seconds } s
shard-address = state of the shard
event-queued = in the queue
event-leased = leased by device { $device }
event-stale = lease of device { $device } stale
event-committed = committed by device { $device }
event-drawn = drawn for a check
event-check = checked here
event-ruling = computed by the referee here
event-missing = its bytes could not be fetched for the check
event-re-executed = accepted, re-executed
event-batch-checked = accepted with its checked batch
event-refused = refused

## Record and replay

record-title = Record of a run
record-lead = Read from the URL alone: no server was asked.
record-waiting = The record is being read. It appears as soon as Python has loaded.
record-engine-differs = This run was made by engine { $engine }, not by the one of this page. A replay may differ in its bits.
checks-title = How it was checked
checks-re-executed-about = computed a second time by another device, or on the CPU path, and compared
checks-batch-checked-about = committed in a batch of which other shards were drawn and re-executed
replay-title = Replay a shard
replay-about = Computes this one shard again on this device and compares it with the record.
replay-shard = Shard
replay-ours = Replayed here
replay-theirs = In the record
replay-device = Device
replay-same = Shard { $shard }: the same bits.
replay-within = Shard { $shard }: agrees within the tolerance.
replay-differs = Shard { $shard }: differs from the record.
replay-moments = Count, mean and variance were compared. The URL does not keep the bins.

## What a check found

finding-bins = { $found } bins instead of { $expected }
finding-count = { $finite } finite and { $other } other draws instead of { $finite_expected } and { $other_expected }
finding-binned = The bins hold { $found } draws instead of { $expected }
finding-mean = The mean differs by { $by }; { $allowed } is allowed
finding-m2 = The sum of squares differs by { $by }; { $allowed } is allowed
finding-moved = { $moved } draws lie in other bins; { $allowed } may
finding-secret = The revealed secret is not the one that the pool committed to
finding-not-checked = Shard { $shard } was drawn, and is not re-executed
finding-uncommitted = Shard { $shard } was never committed to the owner
finding-folded = This device folded { $here }, the pool was sealed over { $sealed }

## Runs

runs-title = Runs
runs-lead = What was run in this browser, interrupted runs first.

## Training

train-title = Train
train-lead = A record names the data, the layers and how they are trained. It is trained on this device, and its checkpoints stay in this browser.
train-empty = No model is open. Here you will see its loss falling, its epochs and what they stand on.
train-tier = tier { $tier }
trainings-label = Examples
training-digits-mlp = Handwritten digits, perceptron
training-digits-mlp-about = Handwritten digits, 8 by 8 pixels, by a perceptron of two layers.
training-digits-cnn = Handwritten digits, convolutions
training-digits-cnn-about = Handwritten digits by a small convolutional network, trained on digits that are moved about.
training-book-transformer = Letters of Moby-Dick
training-book-transformer-about = A small transformer that reads Moby-Dick letter by letter and says which one comes next.
training-iris = Irises
training-iris-about = Which kind of iris a flower is, by four lengths.
training-breast-cancer = Breast tumours
training-breast-cancer-about = Whether a breast tumour is benign, by thirty measures of its cells.
training-diabetes = Course of diabetes
training-diabetes-about = How diabetes goes on within a year, a number from 25 to 346, by ten measures.
training-state-ready = ready
training-state-compiling = compiling
training-state-running = training
training-state-pausing = pausing
training-state-paused = paused
training-state-interrupted = interrupted
training-state-elsewhere = training in another tab
training-state-done = trained
training-state-early-stop = stopped early: no longer improving
training-state-too-large = too large for the device
training-state-fault = failed
announce-training-done = The model is trained.
announce-training-early-stop = The training stopped early: it no longer improved.
announce-training-fault = The training failed. It can go on from its last checkpoint.
training-progress = Steps done
training-opening = The data are read and the step is compiled.
training-python = Python is loading. The training is opened at once.
training-step = step { $step } of { $total }
training-epoch = epoch { $epoch } of { $epochs }
training-rate = { $rate } steps/s
training-kept = checkpoint at step { $step }
training-resumed = resumed from step { $step }
training-skipped = { $skipped ->
    [one] { $skipped } step left out: its gradients overflowed
   *[other] { $skipped } steps left out: their gradients overflowed
  }
training-slow = This is the CPU path: without WebGPU the same steps are computed, far more slowly.
training-not-saved = This browser refuses storage: checkpoints are lost with this tab. Keep it open.
training-elsewhere = Another tab or window of this browser trains this. It is shown here again as soon as it pauses or ends there.
training-interrupted = The tab was closed or broke off while this trained. { $step ->
    [0] No checkpoint was kept yet: it begins anew.
   *[other] Its checkpoint at step { $step } is whole: it goes on from there, to the same result.
  }
training-unkept = The checkpoint at step { $step } could not be written. { $kept ->
    [0] No earlier one is kept.
   *[other] The one at step { $kept } is whole.
  } What came since is in this tab alone: keep it open, free some space, and press Go on.
training-room = Checkpoints will take { $needed } more ({ $each } each), and this browser has { $free } left for this site. Free some space on this device, begin other trainings anew, or let the record keep fewer (checkpoint.keep).
anew-title = Begin anew?
anew-what = The checkpoints of this record are forgotten: { $steps ->
    [one] { $steps } step
   *[other] { $steps } steps
  } of training.
loss-title = Loss
loss-description = Loss up to step { $step }. Training: { $training }. Validation, after the last epoch: { $validation }.
figure-training = training
figure-validation = validation
figure-metric = metric
figure-best = best epoch
axis-step = step
axis-loss = loss
mark-resumed = resumed
mark-best = best
multiples-title = Learning rate, metrics and gradients
multiple-lr = learning rate
multiple-gradient-norm = gradient norm
multiple-loss-scale = loss scale
multiple-description = { $name } over the steps, now { $value } at step { $step }.
measure-loss = loss
measure-accuracy = accuracy
measure-binary-accuracy = accuracy
measure-top-k-accuracy = top-k accuracy
measure-perplexity = perplexity
measure-mae = mean abs. error
measure-rmse = RMS error
epochs-title = Validation by epoch
epochs-empty = Each epoch is measured on data that was kept apart, and is listed here.
epochs-epoch = Epoch
epochs-best = best
datasets-title = Data
datasets-drop = Drop a file here: a table (CSV), arrays (NPZ), a text. Or a folder of images (PNG), one folder for each class. Or a dataset's text (.sml) with its files.
datasets-url = From a URL
datasets-reading = The files are read.
datasets-kept = { $id } is kept in this browser.
datasets-forgotten = { $id } is forgotten.
datasets-page = comes with the page
datasets-own = kept in this browser
datasets-from = from { $host }
datasets-about = Files stay in this browser and are named by their hash; changed ones become the next version. A record names a dataset with its version.
action-choose-files = Choose files
action-choose-folder = Choose a folder
action-fetch = Fetch
action-write-record = Write a record
action-forget = Forget
action-dataset-text = Text
action-keep-text = Keep it
action-cancel = Cancel
dataset-text-label = Text of the dataset (SML)
dataset-text-about = What is read from the files, and as what. Changed, it becomes the next version; the files stay the same.
train-pinned-record = Record
train-pinned-model = Model
train-pinned-parameters = Parameters
train-pinned-dataset = Data
train-pinned-data = Data's hash
train-pinned-licence = Licence
train-pinned-seed = Seed
train-pinned-tier = Tier
memory-title = Memory
memory-summary = { $needed } of { $least ->
    [yes] at least { $held }
   *[no] { $held }
  }, { $source }.
memory-probed = tried on this device
memory-set = as you said
memory-assumed = assumed, for WebGPU does not tell
memory-green = fits
memory-yellow = nearly full
memory-red = does not fit
memory-hopeless = does not fit at any batch size
memory-parameters = parameters
memory-master = f32 master copy
memory-optimizer = optimizer state
memory-gradients = gradients
memory-activations = activations
memory-batch = batch
memory-workspace = workspace
memory-validation = validation
memory-reading = read-back
memory-held = The device holds, in GB
memory-none = Nothing known here saves memory.
memory-saves = { $size } less:
memory-pooling = Pooling multiplies throughput, not memory: each device of a pool holds the whole model.
remedy-accumulate = smaller parts of a batch, more of them a step. The same examples in each step.
remedy-batch = a smaller batch. Other steps; a learning rate that was meant for larger ones.
remedy-rematerialise = activations computed again for their gradients. More time, the same bits.
remedy-precision = f16 for products, master weights in f32. Other roundings.
action-memory = What saves memory?
action-remedy = Change the record so
record-text-title = Record
record-text-about = All that decides the result stands here. Change it, and it is another training, with an address of its own.
record-text-label = Record of the training (SML)
record-placeholder = sml: 1
    model: user/…
    data: …

## Limits

limits-title = What Scellis cannot do
limits-lead = Read this before you rely on a number from here.
limits-method = The method
limits-method-sampled = A Monte Carlo result is itself an estimate. σ/√N says how far the mean may be off; it says nothing of a wrong model or wrong input distributions.
limits-method-histogram = Draws are not kept. Intervals come from their histogram, and their ends are known to one bin's width, which is shown. An interval that reaches beyond the bins is refused.
limits-method-linearised = The linearised result is shown for comparison only. Where it disagrees, it is the one to doubt.
limits-method-correlation = Inputs are drawn independently. A program must state a correlation by computing one input from another.
limits-numbers = The numbers
limits-numbers-f32 = The GPU computes in 32-bit floats: about seven digits. A length of 50 000 623 nm has steps of 4 nm there, so programs are written in deviations from nominal values. A pilot checks this and refuses what cancels.
limits-numbers-tiers = Two different GPUs need not give the same bits. They agree within the tolerance that the tier declares; bits are promised only for the CPU path of the same build.
limits-numbers-cpu = Without WebGPU the CPU path computes. It is slower, often by far, and says so.
limits-pooling = Pooling
limits-pooling-inputs = Whoever runs your job holds its inputs. Pool with devices that are yours.
limits-pooling-assurance = Checking is a sample: some shards are computed twice, the others are accepted with their batch. Assurance is a probability that can be audited, never a certainty.
limits-pooling-suits = Many independent parts pool well. One part that must wait for another does not, and small runs finish sooner on one device.
limits-pooling-relay = Some networks do not let two devices meet. There is no relay yet: such devices compute, and their results cannot be fetched.
limits-pooling-https = A page opened by a plain http address of your network has no WebGPU and does not open offline. Use https, or localhost.
limits-tab = A browser tab
limits-tab-hidden = Hidden tabs are slowed down and phones freeze them. Leases then go to other devices; nothing accepted is lost.
limits-tab-storage = The browser may clear what it keeps, and a private window keeps nothing. Export what matters: the run's URL holds the record.
limits-tab-device = The GPU can be lost in mid-run, by a driver or another program. It is taken up again, and only shards not yet accepted are computed anew.
limits-missing = Not there yet
limits-missing-training = Training on several devices at once. A model is trained by one tab.
limits-missing-crowd = Pools of strangers. Only your own devices can be pooled.

## Errors. { $message } is Python's own sentence, which knows the place. error-graph stands for all of its family.

error-unknown = Something failed, and nothing more is known about it.
error-app = { $message }
error-app-fault = A fault in the program: { $message }
  .remedy = Please report it. Saved runs are kept.
error-app-nothing-open = No program is open.
  .remedy = Open an example first.
error-boot = { $message }
error-boot-csp = The security policy of this page ({ $directive }) blocked { $blocked }.
  .remedy = The server's Content-Security-Policy must allow script-src 'self' 'wasm-unsafe-eval'.
error-boot-mixed = The page and its files are of different versions: the site was updated in between.
  .remedy = Reload the page.
error-boot-python = { $message }
  .remedy = Start it again. Saved runs are kept.
error-boot-silent = Python did not start: nothing was heard for { $seconds } s at the step “{ $stage }”.
  .remedy = Start it again. If it hangs again, reload the page.
error-boot-worker = Python's worker did not start: { $reason }.
  .remedy = Reload the page, or use a newer browser.
error-catalog = { $message }
error-checkpoint = { $message }
error-content = { $message }
error-data = { $message }
error-data-cors = { $host } answers, but does not let pages of { $origin } read its answer: it lacks the header Access-Control-Allow-Origin (CORS), by which a host says whose pages may.
  .remedy = Download the file and drop it here. Whoever runs { $host } may send “Access-Control-Allow-Origin: *”.
error-data-unreachable = { $host } did not answer.
  .remedy = Look at the address and the connection, or download the file and drop it here.
error-data-policy = The security policy that this page was served with does not let it ask { $host }.
  .remedy = Download the file and drop it here, or have whoever serves the page allow it (connect-src for static/worker.js).
error-data-status = { $host } answers { $status }: the file is not there, or not for everybody.
  .remedy = Look at the address.
error-file-large = The file “{ $name }” is too large for a program.
  .remedy = Choose an SML file; they are a few kilobytes.
error-gpu = { $message }
error-gpu-lost = The GPU was lost in mid-run. Accepted shards are kept.
  .remedy = Resume the run.
error-gpu-none = No WebGPU adapter was found here. The CPU path computes the same draws, more slowly.
error-gpu-oom = The GPU has too little memory for this run.
  .remedy = Close other programs that use the GPU, or take fewer draws a shard.
error-gpu-shader = The GPU refused the program's kernel: { $message }
error-graph = { $message }
error-job = { $message }
error-job-engine = The job was made for engine { $wanted }; this is { $have }.
  .remedy = Open it with that version. Bits may differ between engines.
error-kernel = { $message }
error-oracle = { $message }
error-plan = { $message }
error-plan-cancellation = { $message }
  .remedy = Write the program in deviations from nominal values, so that large numbers do not cancel, or take fewer draws a shard.
error-plan-constant = The program's output does not vary: there is nothing to sample.
error-plan-nonfinite = { $bad } of { $draws } pilot draws are not finite numbers.
  .remedy = Look for a logarithm or root of what may be negative, or a division by what may be zero.
error-pool = { $message }
error-pool-aside = This device was set aside: a result of it was wrong or not delivered.
  .remedy = Its work is done by others; the pool's notices say what happened.
error-pool-consent = This device has not agreed to compute for the pool.
error-pool-engine = The pool computes with engine { $wanted }; this device has { $have }.
  .remedy = Reload the page here. If that does not help, open the pool's own page.
error-pool-full = The pool is full.
error-pool-invite = The invitation is not valid.
  .remedy = Ask for a new link.
error-pool-link = This is not an invitation link.
  .remedy = Copy the whole address.
error-pool-none = There is no coordinator beside this page, and a pool needs one.
  .remedy = Open the page that “scellis serve” offers. Running alone needs none.
error-pool-replaced = Another tab of this browser took this pool over.
  .remedy = Go on there, or close it and join again.
error-pool-unknown = The coordinator has no such pool.
  .remedy = Ask for a new link.
error-pool-version = The coordinator speaks pool protocol { $wanted }, this device { $have }.
  .remedy = Reload the page on the older one.
error-record = { $message }
error-record-long = { $message }
  .remedy = A job of fewer, larger shards has one.
error-record-url = { $message }
  .remedy = Copy the whole address, to its last character.
error-rng = { $message }
error-run = { $message }
error-run-unverified = { $message }
  .remedy = Do not use this result; ask whoever runs the coordinator.
error-run-unknown = This device keeps no such run.
  .remedy = Start it anew.
error-sml = { $message }
error-store = { $message }
error-store-full = The browser did not keep what the run needs saved: { $message }
  .remedy = Free some space, or allow storage for this site. What was saved before is still there.
error-store-lost = The browser did not read what this page saved: { $message }
  .remedy = Reload the page.
error-tensor = { $message }
error-train = { $message }
error-train-elsewhere = This training goes on in another tab or window of this browser.
  .remedy = Go on there, or pause it there first.
