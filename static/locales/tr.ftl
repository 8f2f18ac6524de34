### Scellis Türkçe. en.ftl ile aynı kimlikler. Değişkenlere ek yapıştırılmaz: ek alan sözcük ayrı yazılır.

## Çerçeve

skip = İçeriğe geç
brand-label = Scellis, başlangıca
rail-label = Ekranlar
rail-start = Başlangıç
rail-run = Koşu
rail-train = Eğitim
rail-pool = Havuz
rail-runs = Koşular
rail-limits = Sınırlar
rail-record = Tutanak
language-label = Dil
theme-label = Görünüm: { $theme }
theme-auto = sistemdeki gibi
theme-light = açık
theme-dark = koyu
boot-label = Python yükleniyor
boot-python = Python { $percent }
boot-ready = Python hazır
boot-failed = Python durdu
boot-restarting = Yeniden başlatılıyor. Kayıtlı koşular korunur.
boot-files = Yorumlayıcı indiriliyor
boot-packages = Paketler kuruluyor
boot-start = Başlıyor
offline-update = Bu sayfanın yeni bir sürümü hazır. Koşularınız korunur.
offline-replaced = Yeni sürümü başka bir sekme aldı. Bu sekme hâlâ eskisini gösteriyor.
offline-ready = ağ olmadan da açılır
offline-installing = ağsız kullanım için saklanıyor
offline-unavailable = ağ olmadan açılmaz: bu tarayıcı burada sayfa saklamıyor
offline-failed = ağ olmadan açılmaz: dosyalar saklanamadı

## Sayılar ve süre

percent = %{ $value }
plus-minus = ± { $value }
about = yaklaşık { $time }
rate = { $rate } çekim/s
rate-short = { $rate }/s
duration-unknown = bilinmiyor
duration-instant = 1 s altında
duration-seconds = { $s } s
duration-minutes = { $min } dk { $s } s
duration-hours = { $h } sa { $min } dk
duration-days = { $d } gün

## Eylemler

action-run = Çalıştır
action-stop = Durdur
action-stopping = Duruyor
action-starting = Başlıyor
action-resume = Sürdür
action-train = Eğit
action-compiling = Derleniyor
action-pause = Duraklat
action-pausing = Duraklıyor
action-go-on = Devam et
action-anew = Baştan başla
action-keep = Kalsın
action-open-text = Bu tarifi aç
action-more-trainings = Başka modeller ve kendi tarifleriniz
action-open = Aç
action-open-example = Aç: “{ $title }”
action-open-record = Tutanağı aç
action-choose-file = Dosya seç
action-pool = Aygıtlarımla hesapla
action-show-pool = Havuzu göster
action-show-result = Sonucu göster
action-join = Katıl
action-share = Bağlantıyı paylaş
action-replay = Parçayı yeniden hesapla
action-replaying = Hesaplanıyor
action-retry = Yeniden dene
action-restart = Python’u yeniden başlat
action-reload = Yeniden yükle
action-dismiss = Gizle
action-close = Kapat
action-copy = Kopyala: { $name }
copied = Kopyalandı: { $name }

## Bir koşunun durumları

state-ready = hazır
state-watching = izliyor
state-running = çalışıyor
state-stopping = duruyor
state-interrupted = yarıda kaldı
state-verifying = doğrulanıyor
state-done = doğrulandı
state-failed = başarısız
announce-done = Koşu doğrulandı. { $estimate }
announce-failed = Koşu başarısız oldu.
announce-interrupted = Koşu yarıda kaldı. Sürdürülebilir.

## Bu aygıt

device-title = Bu aygıt
device-webgpu = WebGPU
device-native = yerel GPU
device-cpu = CPU yolu
device-unknown = henüz bilinmiyor
device-waiting = Python yüklenir yüklenmez aygıtı sorar.
device-lacks = eksik: { $features }
storage-opfs = sonuçlar bu tarayıcıda saklanır
storage-idb = sonuçlar bu tarayıcıda saklanır
storage-memory = saklanmıyor: bu tarayıcı saklamaya izin vermiyor
storage-not-persisted = tarayıcı onları silebilir

## Başlangıç

start-title = Sonuç ne kadar güvenilir?
start-lead = Scellis girdilerinizin dağılımlarından çekim yapar, modelinizi bu aygıtta hesaplar ve sonucun değerini gösterir. Siz havuz açmadıkça bu sekmeden hiçbir şey çıkmaz.
door-simulate = Benzetim
door-simulate-about = Dağılımları bir ölçüm modelinden Monte Carlo ile geçirir (JCGM 101).
door-train = Eğitim
door-train-about = Bu sekmede, her sayıyı sabitleyen bir tariften model eğitin: veri, katmanlar, tohum.
door-pool = Havuz
door-pool-about = Öteki aygıtlarınız aynı koşunun parçalarını hesaplasın. Bir bağlantı ve bir QR kodu alırsınız; her aygıta hesaplamadan önce sorulur.
example-gauge-block = Mastar bloğu kalibrasyonu
example-gauge-block-about = Bu çelik blok, kalibre edilmiş bir standartla karşılaştırıldığında 50 mm’den ne kadar uzun?
example-gauge-block-kind = Dokuz girdi, JCGM 101, 9.5
example-saturating = Doyan bir eğrinin ardındaki oran
example-saturating-about = Doyan bir deneyde, bir referansın net bağlı orana bölümü. Birinci mertebe yayılım riski küçük gösterir.
example-saturating-kind = Yedi girdi, birimsiz bir sayı
example-own = Kendi programınız
example-unit = Sonucun birimi: { $unit }
own-title = Kendi programınızı açın
own-label = Program metni (SML)
own-placeholder = sml: 1
    title: …
    inputs: …
recent-title = Son koşular
recent-empty = Henüz koşu yok. Çalıştırdıklarınız bu tarayıcıda saklanır ve burada listelenir; yarıda kalanlar önce gelir.

## Koşu: kestirim, plan, ilerleme

run-title = Koşu
run-empty = Açık koşu yok. Burada planı, oturan kestirimi ve dağılımı göreceksiniz.
estimate-title = Kestirim
estimate-caption = değer ± standart belirsizlik
estimate-interval = { $coverage } { $interval }
estimate-mean = Ortalama ± σ/√N
estimate-ends = Aralık uçları
estimate-draws = Çekim sayısı
progress-label = Kabul edilen parçalar
progress-done = { $shards } parçanın { $computed } tanesi hesaplandı, { $accepted } tanesi kabul edildi
progress-left = kalan { $time }
progress-expected = bu aygıtta yaklaşık { $time }
progress-stopping = duruyor
progress-interrupted = yarıda kaldı: kabul edilen hiçbir şey yitmez
progress-watching = izleniyor: başkaları hesaplıyor
progress-complete = tamamlandı
progress-failed = başarısız
plan-title = Plan
plan-pilot = Ön koşu, gereken çekim sayısını belirliyor.
plan-python = Python yükleniyor. Plan hemen ardından gelir.
plan-summary = { $draws } çekim: { $shards } parça, her biri { $each }.
plan-linearised = Birinci mertebe kestirim
plan-linearised-hint = { $coverage } { $interval }, hiç çekim yapılmadan
plan-sigma = Sonucun yayılımı, σ
plan-sigma-hint = sonuca katılmayan ön koşudan
plan-wished = İstenen standart hata (ortalama)
plan-wished-hint = programda belirlenir
plan-needed = Gereken çekim
plan-needed-hint = (σ / standart hata)²
plan-shards = Gereken parça
plan-shards-value = { $needed } parça
plan-shards-hint = iş { $shards } parçadır, her biri { $each } çekim
plan-time = Bu aygıtta süre
plan-too-few-shards = İşte { $shards } parça var, istenen standart hata { $needed } parça gerektiriyor. Sonuç istenenden daha belirsiz olacak.
plan-no-url = Bir koşu URL’si en çok { $limit } parça taşır; bu işte { $shards } parça var, bu yüzden sonucun URL’si olmayacak. Daha az ve daha büyük parçalarla olur.
plan-linear-law-too-small = Ön koşunun yayılımı, birinci mertebe yayılımın dediğinden geniş. ± u değerine güvenmeden önce kuyruğa bakın.

## Koşu: çizimler

histogram-title = Sonucun dağılımı
histogram-description = Sonucun histogramı. Çekimle: { $estimate }, aralık { $interval }. Doğrusallaştırılmış aralık { $linearised }: çekimlerin { $below } kadarı altında, { $above } kadarı üstünde.
histogram-outside = Kutuların dışında, ama sayıldı: altta { $underflow } çekim, üstte { $overflow }.
scale-label = Yoğunluk ölçeği
scale-linear = doğrusal
scale-logarithmic = log
key-sampled = çekimle
key-linearised = doğrusallaştırılmış (birinci mertebe)
key-missed = doğrusallaştırılmış aralığın dışındaki çekimler
key-sampled-short = çekimle
key-linearised-short = doğrusal
bracket-sampled = çekimle { $coverage }
bracket-linearised = doğrusal { $coverage }
axis-quantity = { $name } / { $unit }
axis-quantity-one = { $name }
axis-result = sonuç
axis-density = yoğunluk / { $unit }
axis-density-one = yoğunluk
trace-title = Oturma
trace-mean = Ortalama, iki yanında σ/√N
trace-error = σ/√N istenen değere iner
trace-mean-description = Şimdiye dek çekimlerin ortalaması, şu an { $estimate }.
trace-error-description = Şimdiye dek standart hata, { $draws } çekimden sonra { $error }.
comparison-title = Çekimle ve doğrusallaştırılmış
comparison-mean = Değer
comparison-std = Standart belirsizlik
comparison-interval = Aralık
comparison-outside = Altında / üstünde kalan
comparison-shares = { $below } / { $above }
verdict-waiting = Bir aralık oluşur oluşmaz ikisi karşılaştırılır.
verdict-validated = Birinci mertebe yayılım burada geçerli: aralık uçları { $tolerance } içinde uyuşuyor (JCGM 101, 8).
verdict-not-validated = Birinci mertebe yayılım burada geçerli değil: aralık uçları { $low } ve { $high } sapıyor, izin verilen { $tolerance } (JCGM 101, 8).
verdict-u-small = Standart belirsizliği { $share } küçük.
verdict-u-large = Standart belirsizliği { $share } büyük.
verdict-mean-above = Ortalama, onun değerinden yukarıda; fark u değerinin { $share } kadarı.
verdict-mean-below = Ortalama, onun değerinden aşağıda; fark u değerinin { $share } kadarı.
interval-refused = Aralık yok: { $reason ->
    [no-draws] henüz çekim yapılmadı.
    [few-draws] bu kapsama için çekim sayısı az: en az on tanesi dışarıda kalmalı.
    [range-narrow] ön koşunun belirlediği bölge, kapsamadan azını içeriyor.
    [end-outside] bir uç, ön koşunun belirlediği bölgenin dışındaki çekimlerin arasında.
   *[other] { $reason }.
  }

## Sabitlenenler

pinned-title = Sabitlenen
pinned-program = Program
pinned-partition = Bölünme
pinned-partition-value = { $name }: { $shards } × { $each } çekim
pinned-partition-shards = { $name }: { $shards } parça
pinned-seed = Kök tohum
pinned-tier = Düzey
pinned-engine = Motor
pinned-device = Aygıt
pinned-job = İş
pinned-result = Sonuç
pinned-url = Koşunun URL adresi
pinned-url-later = Koşu doğrulanınca bir URL alır.
pinned-text = Program metni
tier-debug = aynı aygıt ve yapıda iki koşu bit bit eşittir
tier-prod = aygıtlar bildirilen tolerans içinde uyuşur
tier-fast = yerleşik işlevler, daha geniş bir tolerans içinde

## Bildirimler

notice-not-saved = Bu tarayıcı saklamaya izin vermiyor: koşu saklanmıyor. Bu sekmeyi açık tutun.
run-nonfinite = Programın { $count } çekimi sonlu sayı değil. Hiçbir ortalamaya, sapmaya ve aralığa girmezler.
run-device-recovered = GPU yitti ve yeniden alındı. Kabul edilen parçalar korundu.
pool-fault = Havuzda bir şey başarısız oldu. İleti: { $message }
pool-mismatch = İki aygıt { $shard } numaralı parçada uyuşmuyor. Hakem karar verir; yanlış sonuç değiştirilir.
pool-bytes-lost = { $peer } numaralı aygıtın sonuçları onunla birlikte yitti, yeniden hesaplanıyor.
pool-result-differs = { $peer } numaralı aygıt, bundan başka bir toplam sonuca vardı.
pool-wrong-ruling = { $peer } numaralı aygıt ayrıldı: hakemliği yanlıştı.
pool-wrong-check = { $peer } numaralı aygıt ayrıldı: denetimi yanlıştı.
pool-wrong-result = { $peer } numaralı aygıt ayrıldı: sonucu yanlıştı. Ondan gelen her şey yeniden denetlenir.
pool-withheld = { $peer } numaralı aygıt ayrıldı: denetime çekilen bir sonucu vermedi.
pool-no-checker = Sonuçlar denetim bekliyor: izin vermiş başka bir aygıt bağlı değil.

## Havuz

pool-title = Havuz
pool-state-none = havuz yok
pool-state-opening = açılıyor
pool-state-open = açık
pool-state-joining = katılıyor
pool-state-waiting-consent = onayınızı bekliyor
pool-state-watching = izliyor
pool-state-joined = katıldı
pool-state-lost = bağlantı koptu
pool-state-sealed = mühürlendi
pool-state-left = ayrıldı
pool-lead-none = Birkaç aygıtınız bir koşuyu paylaşır. Her sonuç önce bağlanır, başka bir aygıtça denetlenir ve ancak o zaman sayılır.
pool-lead-opening = Havuz açılıyor.
pool-lead-open = Aygıtları bağlantıyla davet edin, sonra “Çalıştır”a basın. Katılan aygıt, orada biri onaylayınca hesaplar.
pool-lead-running = Aygıtlar bağlantıyla istedikleri zaman katılabilir.
pool-lead-joining = Bu aygıt katılmak istiyor.
pool-lead-waiting-consent = Siz onaylamadan bu aygıtta hiçbir şey hesaplanmaz.
pool-lead-watching = Bu aygıt izliyor: üzerinde hiçbir şey hesaplanmıyor. Sonuç burada da görünecek.
pool-lead-joined = Bu sekme açık oldukça bu aygıt havuz için hesaplar.
pool-lead-lost = Koordinatör yanıt vermiyor. Kabul edilen parçalar korunur; sayfa yeniden dener.
pool-lead-sealed = Koşu tamamlandı, doğrulandı ve mühürlendi.
pool-lead-left = Bu aygıt havuzdan ayrıldı. Başka hiçbir aygıtın henüz tutmadığı sonuçlarını başkaları yeniden hesaplar. Yeniden katılmak için sürdürün.
pool-create-title = Aygıtlarımı çağır
pool-create-about = Buradaki koşuyu öteki aygıtlarınıza açar.
pool-shares = Paylaşılan: { $title }
pool-needs-run = Önce bir program açın: havuz, açık olan koşuyu paylaşır.
pool-join-title = Bağlantıyla katıl
pool-join-about = Elinizde bir havuzun bağlantısı var, kodunu çekemiyorsunuz.
pool-link-label = Havuzun bağlantısı
pool-link-placeholder = https://…#pool=…
pool-inputs-sentence = İşinizi hesaplayan, girdilerini de elinde tutar: kendi aygıtlarınızı çağırın.
pool-will-show = Burada hangi parçanın hangi aygıtta olduğunu ve nasıl denetlendiğini göreceksiniz.
invitation-title = Çağrı
invitation-about = Bu bağlantıyı başka bir aygıtta açın ya da kodu çekin.
invitation-local = Bu sayfanın adresini yalnız bu bilgisayar bilir: buradaki başka tarayıcılar bağlantıyı açabilir, başka aygıtlar açamaz. Sunucuyu --host ile, https ardında başlatın.
invitation-link = havuzun bağlantısı
invitation-code = Bağlantının QR kodu
invitation-no-code = Bağlantı bir kod için çok uzun. Bağlantıyı gönderin.
consent-title = Bu aygıt hesaplasın mı?
consent-what = “{ $title }” koşusuna çağrıldınız: { $shards } parçada { $draws } çekim.
consent-what-unknown = Bir koşunun parçalarını hesaplamaya çağrıldınız.
consent-nothing = Burada hiçbir şey hesaplanmadı; siz onaylamadan da hesaplanmayacak.
consent-uses = Bu sekme açık oldukça aygıtın GPU birimini ya da işlemcisini, dolayısıyla elektriğini kullanır.
consent-inputs = Bir işi hesaplayan, girdilerini de elinde tutar: bu aygıt, sizi çağıranın girdilerini tutacak.
consent-stop = Durdurmak için “Yalnızca izle”yi seçin ya da sekmeyi kapatın. Bu aygıtta bir kez sorulur.
consent-give = Hesaplasın
consent-refuse = Yalnızca izle
peers-title = Aygıtlar
peer-shards = { $shards } parça
peer-leased = { $leased } verildi
peer-name = { $number } numaralı aygıt
peer-you = bu aygıt
peer-waiting = yalnızca izliyor
peer-silent = ses yok
peer-aside = ayrıldı
peer-live = etkin

## Parça tahtası

board-title = Parçalar
board-label = Parça
board-accepted = { $shards } parçanın { $accepted } tanesi kabul edildi: { $reexecuted } yeniden hesaplandı, { $batch } grupça denetlendi.
board-moving = { $leased } verildi, { $waiting } denetim bekliyor; { $devices } aygıt.
board-stale = { $stale } verilişin süresi doldu; başka aygıtlara gidiyor.
board-refused = { $refused } reddedildi.
board-queued = { $queued } kuyrukta.
board-blocks = Bir hücre { $size } parçayı temsil eder ve çoğunun durumunu gösterir.
board-cell = parça { $shard }, { $state }
board-cell-held = parça { $shard }, { $state }, aygıt { $device }
board-block = parça { $shard }–{ $last }, çoğunlukla { $state }
board-block-held = parça { $shard }–{ $last }, çoğunlukla { $state }, aygıt { $device }
cell-queued = kuyrukta
cell-leased = verildi
cell-stale = süresi doldu
cell-committed = bağlandı
cell-drawn = denetime çekildi
cell-batch-checked = grupça denetlendi
cell-re-executed = yeniden hesaplandı
cell-refused = reddedildi
shard-title = Bir parçanın geçmişi
shard-number = Parça
shard-hint = Tahtadan bir göz seçin ya da numarasını yazın.
shard-untouched = Bu parçaya henüz dokunulmadı.
shard-epoch = dönem { $epoch }
shard-at = { $seconds } s sonra
shard-address = parçanın durumu
event-queued = kuyrukta
event-leased = { $device } numaralı aygıta verildi
event-stale = { $device } numaralı aygıtın süresi doldu
event-committed = { $device } numaralı aygıt bağladı
event-drawn = denetime çekildi
event-check = burada denetlendi
event-ruling = burada hakem hesapladı
event-missing = denetim için baytları alınamadı
event-re-executed = kabul edildi, yeniden hesaplandı
event-batch-checked = denetlenen grubuyla kabul edildi
event-refused = reddedildi

## Tutanak ve yeniden hesaplama

record-title = Bir koşunun tutanağı
record-lead = Yalnızca URL adresinden okundu: hiçbir sunucuya sorulmadı.
record-waiting = Tutanak okunuyor. Python yüklenir yüklenmez görünür.
record-engine-differs = Bu koşuyu bu sayfanınki değil, { $engine } sürümlü motor yaptı. Yeniden hesaplama bitlerde ayrılabilir.
checks-title = Nasıl denetlendi
checks-re-executed-about = başka bir aygıtça ya da CPU yolunda ikinci kez hesaplandı ve karşılaştırıldı
checks-batch-checked-about = içinden başka parçaların çekilip yeniden hesaplandığı bir grupta bağlandı
replay-title = Bir parçayı yeniden hesapla
replay-about = Yalnız bu parçayı bu aygıtta bir kez daha hesaplar ve tutanakla karşılaştırır.
replay-shard = Parça
replay-ours = Burada hesaplanan
replay-theirs = Tutanakta
replay-device = Aygıt
replay-same = Parça { $shard }: aynı bitler.
replay-within = Parça { $shard }: tolerans içinde uyuşuyor.
replay-differs = Parça { $shard }: tutanaktan ayrılıyor.
replay-moments = Sayı, ortalama ve varyans karşılaştırıldı. Kutular URL adresinde yoktur.

## Bir denetimin buldukları

finding-bins = { $expected } yerine { $found } kutu
finding-count = { $finite_expected } sonlu ve { $other_expected } öteki çekim yerine { $finite } ve { $other }
finding-binned = Kutularda { $expected } yerine { $found } çekim var
finding-mean = Ortalama farkı { $by }; izin verilen { $allowed }
finding-m2 = Kareler toplamı farkı { $by }; izin verilen { $allowed }
finding-moved = { $moved } çekim başka kutularda; izin verilen { $allowed }
finding-secret = Açıklanan giz, havuzun bağlandığı giz değil
finding-not-checked = { $shard } numaralı parça denetime çekildi, ama yeniden hesaplanmadı
finding-uncommitted = { $shard } numaralı parça havuz sahibine hiç bildirilmedi
finding-folded = Bu aygıt { $here } sonucunu buldu; havuz { $sealed } üzerine mühürlendi

## Koşular

runs-title = Koşular
runs-lead = Bu tarayıcıda yapılan koşular, yarıda kalanlar önce.

## Eğitim

train-title = Eğitim
train-lead = Bir tarif veriyi, katmanları ve nasıl eğitileceklerini belirtir. Eğitim bu aygıtta yapılır, denetim noktaları bu tarayıcıda kalır.
train-empty = Açık model yok. Burada kaybın düşüşünü, dönemleri ve neye dayandıklarını göreceksiniz.
train-tier = düzey { $tier }
trainings-label = Örnekler
training-digits-mlp = El yazısı rakamlar, algılayıcı
training-digits-mlp-about = İki katmanlı bir algılayıcıyla 8 × 8 piksellik el yazısı rakamlar.
training-digits-cnn = El yazısı rakamlar, evrişim
training-digits-cnn-about = Kaydırılmış rakamlarla eğitilen küçük bir evrişimli ağla el yazısı rakamlar.
training-book-transformer = Moby-Dick’in harfleri
training-book-transformer-about = Moby-Dick’i harf harf okuyan ve sıradaki harfi tahmin eden küçük bir dönüştürücü.
training-iris = Süsenler
training-iris-about = Dört uzunluktan bir çiçeğin hangi süsen türü olduğu.
training-breast-cancer = Meme tümörleri
training-breast-cancer-about = Hücrelerinin otuz ölçüsünden bir meme tümörünün iyi huylu olup olmadığı.
training-diabetes = Diyabetin seyri
training-diabetes-about = On ölçümden diyabetin bir yıl içindeki seyri: 25 ile 346 arasında bir sayı.
training-state-ready = hazır
training-state-compiling = derleniyor
training-state-running = eğitiliyor
training-state-pausing = duraklıyor
training-state-paused = durakladı
training-state-interrupted = yarıda kaldı
training-state-elsewhere = başka bir sekmede eğitiliyor
training-state-done = eğitildi
training-state-early-stop = erken durdu: artık iyileşmiyor
training-state-too-large = cihaz için çok büyük
training-state-fault = başarısız
announce-training-done = Model eğitildi.
announce-training-early-stop = Eğitim erken durdu: artık iyileşmiyordu.
announce-training-fault = Eğitim başarısız oldu. Son denetim noktasından sürebilir.
training-progress = Yapılan adımlar
training-opening = Veri okunuyor ve adım derleniyor.
training-python = Python yükleniyor. Eğitim hemen ardından açılır.
training-step = adım { $step } / { $total }
training-epoch = dönem { $epoch } / { $epochs }
training-rate = { $rate } adım/s
training-kept = denetim noktası: adım { $step }
training-resumed = sürdürüldüğü adım: { $step }
training-skipped = { $skipped } adım atlandı: gradyanları taştı
training-slow = Bu, CPU yolu: WebGPU olmadan aynı adımlar çok daha yavaş hesaplanır.
training-not-saved = Bu tarayıcı saklamaya izin vermiyor: denetim noktaları bu sekmeyle yiter. Sekmeyi açık tutun.
training-elsewhere = Bunu bu tarayıcının başka bir sekmesi ya da penceresi eğitiyor. Orada duraklayınca ya da bitince yine burada gösterilir.
training-interrupted = Eğitim sürerken sekme kapandı ya da çöktü. { $step ->
    [0] Henüz denetim noktası yoktu: baştan başlanır.
   *[other] { $step }. adımdaki denetim noktası sağlam: oradan sürer ve aynı sonuca varır.
  }
training-unkept = { $step }. adımdaki denetim noktası yazılamadı. { $kept ->
    [0] Daha öncekiler de yok.
   *[other] { $kept }. adımdaki sağlam.
  } Ondan sonrası yalnız bu sekmede: sekmeyi açık tutun, yer açın ve Devam et’e basın.
training-room = Denetim noktaları { $needed } daha yer tutacak (her biri { $each }); bu tarayıcıda bu site için { $free } kaldı. Bu aygıtta yer açın, başka eğitimleri baştan başlatın ya da kayıtta daha azını saklatın (checkpoint.keep).
anew-title = Baştan mı başlansın?
anew-what = Bu tarifin denetim noktaları unutulur: { $steps } adımlık eğitim.
loss-title = Kayıp
loss-description = Adım { $step } sonuna dek kayıp. Eğitim: { $training }. Doğrulama, son dönemin ardından: { $validation }.
figure-training = eğitim
figure-validation = doğrulama
figure-metric = ölçüt
figure-best = en iyi dönem
axis-step = adım
axis-loss = kayıp
mark-resumed = sürdürüldü
mark-best = en iyi
multiples-title = Öğrenme hızı, ölçütler ve gradyanlar
multiple-lr = öğrenme hızı
multiple-gradient-norm = gradyan normu
multiple-loss-scale = kayıp ölçeği
multiple-description = Adımlar boyunca { $name }, şu an { $value }, adım { $step }.
measure-loss = kayıp
measure-accuracy = doğruluk
measure-binary-accuracy = doğruluk
measure-top-k-accuracy = ilk k doğruluğu
measure-perplexity = şaşkınlık
measure-mae = ortalama mutlak hata
measure-rmse = RMS hata
epochs-title = Döneme göre doğrulama
epochs-empty = Her dönem ayrı tutulan veriyle ölçülür ve burada listelenir.
epochs-epoch = Dönem
epochs-best = en iyi
datasets-title = Veriler
datasets-drop = Buraya bir dosya bırakın: tablo (CSV), diziler (NPZ) veya metin. Ya da her sınıfı ayrı klasörde olan bir görüntü klasörü (PNG). Ya da dosyalarıyla birlikte bir veri kümesi metni (.sml).
datasets-url = Bir URL'den
datasets-reading = Dosyalar okunuyor.
datasets-kept = { $id } bu tarayıcıda saklanıyor.
datasets-forgotten = { $id } unutuldu.
datasets-page = sayfayla birlikte gelir
datasets-own = bu tarayıcıda saklanıyor
datasets-from = kaynak: { $host }
datasets-about = Dosyalar bu tarayıcıda kalır ve özet değerleriyle adlandırılır; değişenler bir sonraki sürüm olur. Tarif, veri kümesini sürümüyle belirtir.
action-choose-files = Dosya seç
action-choose-folder = Klasör seç
action-fetch = Getir
action-write-record = Tarif yaz
action-forget = Unut
action-dataset-text = Metin
action-keep-text = Sakla
action-cancel = Vazgeç
dataset-text-label = Veri kümesinin metni (SML)
dataset-text-about = Dosyalardan neyin, ne olarak okunduğu. Değiştirilirse bir sonraki sürüm olur; dosyalar aynı kalır.
train-pinned-record = Tarif
train-pinned-model = Model
train-pinned-parameters = Parametre
train-pinned-dataset = Veri
train-pinned-data = Veri özeti
train-pinned-licence = Lisans
train-pinned-seed = Tohum
train-pinned-tier = Düzey
memory-title = Bellek
memory-summary = { $needed } / { $least ->
    [yes] en az { $held }
   *[no] { $held }
  }, { $source }.
memory-probed = bu cihazda denendi
memory-set = belirttiğiniz gibi
memory-assumed = varsayıldı, çünkü WebGPU söylemez
memory-green = sığıyor
memory-yellow = neredeyse dolu
memory-red = sığmıyor
memory-hopeless = hiçbir yığın boyutunda sığmıyor
memory-parameters = parametreler
memory-master = f32 ana kopya
memory-optimizer = eniyileyici durumu
memory-gradients = gradyanlar
memory-activations = etkinleşmeler
memory-batch = yığın
memory-workspace = çalışma alanı
memory-validation = doğrulama
memory-reading = geri okuma
memory-held = Cihazın belleği, GB
memory-none = Burada bilinen hiçbir şey bellek kazandırmıyor.
memory-saves = { $size } daha az:
memory-pooling = Havuz belleği değil, iş hacmini artırır: havuzdaki her cihaz modelin tamamını tutar.
remedy-accumulate = yığının daha küçük parçaları, adım başına daha çok parça. Her adımda aynı örnekler.
remedy-batch = daha küçük yığın. Başka adımlar; öğrenme oranı daha büyükleri içindi.
remedy-rematerialise = etkinleşmeler gradyanları için yeniden hesaplanır. Daha çok süre, aynı bitler.
remedy-precision = çarpımlar f16, ana ağırlıklar f32. Başka yuvarlamalar.
action-memory = Ne bellek kazandırır?
action-remedy = Tarifi böyle değiştir
record-text-title = Tarif
record-text-about = Sonucu belirleyen her şey burada yazılıdır. Değişirse, kendi adresi olan başka bir eğitim olur.
record-text-label = Eğitimin tarifi (SML)
record-placeholder = sml: 1
    model: user/…
    data: …

## Sınırlar

limits-title = Scellis neyi yapamaz
limits-lead = Buradan bir sayıya güvenmeden önce okuyun.
limits-method = Yöntem
limits-method-sampled = Monte Carlo sonucunun kendisi de bir kestirimdir. σ/√N, ortalamanın ne kadar sapabileceğini söyler; yanlış bir model ya da yanlış dağılımlar için bir şey söylemez.
limits-method-histogram = Çekimler saklanmaz. Aralıklar histogramlarından gelir; uçları bir kutu genişliğine kadar bilinir ve bu gösterilir. Kutuların dışına taşan bir aralık verilmez.
limits-method-linearised = Doğrusallaştırılmış sonuç yalnız karşılaştırma içindir. Ayrıldığı yerde kuşkulanılacak olan odur.
limits-method-correlation = Girdiler bağımsız çekilir. Bir korelasyonu program, bir girdiyi ötekinden hesaplayarak belirtmelidir.
limits-numbers = Sayılar
limits-numbers-f32 = GPU 32 bitlik sayılarla hesaplar: yaklaşık yedi basamak. 50 000 623 nm uzunluk orada 4 nm adımlarla gider; bu yüzden programlar anma değerinden sapmalarla yazılır. Ön koşu bunu denetler ve birbirini götüreni geri çevirir.
limits-numbers-tiers = İki ayrı GPU aynı bitleri vermek zorunda değildir. Düzeyin bildirdiği tolerans içinde uyuşurlar; bit eşitliği yalnız aynı yapının CPU yolu için söz verilir.
limits-numbers-cpu = WebGPU yoksa CPU yolu hesaplar. Daha yavaştır, çoğu zaman çok daha yavaş, ve bunu söyler.
limits-pooling = Havuz
limits-pooling-inputs = İşinizi hesaplayan, girdilerini de elinde tutar. Kendi aygıtlarınızla havuz kurun.
limits-pooling-assurance = Denetim bir örneklemedir: kimi parçalar iki kez hesaplanır, ötekiler gruplarıyla kabul edilir. Güvence, denetlenebilir bir olasılıktır; hiçbir zaman kesinlik değildir.
limits-pooling-suits = Birbirinden bağımsız çok sayıda parça iyi bölüşülür. Başkasını beklemek zorunda olan bölüşülmez; küçük koşular tek aygıtta daha erken biter.
limits-pooling-relay = Kimi ağlar iki aygıtı buluşturmaz. Henüz aktarıcı yok: böyle aygıtlar hesaplar, ama sonuçları alınamaz.
limits-pooling-https = Ağınızın düz http adresiyle açılan sayfada WebGPU olmaz ve sayfa çevrim dışı açılmaz. https ya da localhost kullanın.
limits-tab = Bir tarayıcı sekmesi
limits-tab-hidden = Gizli sekmeler yavaşlatılır, telefonlar onları dondurur. Parçalar başka aygıtlara gider; kabul edilen hiçbir şey yitmez.
limits-tab-storage = Tarayıcı sakladığını silebilir; gizli pencere hiçbir şey saklamaz. Önemli olanı dışarı alın: koşunun URL adresi tutanağı içerir.
limits-tab-device = GPU koşunun ortasında, bir sürücü ya da başka bir program yüzünden yitebilir. Yeniden alınır; yalnız kabul edilmemiş parçalar yeniden hesaplanır.
limits-missing = Henüz yok
limits-missing-training = Aynı anda birkaç aygıtta eğitim. Bir model tek sekmede eğitilir.
limits-missing-crowd = Yabancılarla havuz. Yalnız kendi aygıtlarınız birleşebilir.

## Hatalar. { $message }, yeri bilen Python’un kendi İngilizce tümcesidir.

error-unknown = Bir şey başarısız oldu; bundan fazlası bilinmiyor.
error-app = Bu burada yapılamaz. İleti: { $message }
error-app-fault = Programda bir kusur. İleti: { $message }
  .remedy = Lütfen bildirin. Kayıtlı koşular korunur.
error-app-nothing-open = Açık program yok.
  .remedy = Önce bir örnek açın.
error-boot = Python başlayamadı. İleti: { $message }
error-boot-csp = Bu sayfanın güvenlik kuralı ({ $directive }) şunu engelledi: { $blocked }.
  .remedy = Sunucunun Content-Security-Policy başlığı script-src 'self' 'wasm-unsafe-eval' izni vermelidir.
error-boot-mixed = Sayfa ile dosyaları ayrı sürümlerden: site bu arada güncellendi.
  .remedy = Sayfayı yeniden yükleyin.
error-boot-python = Python durdu. İleti: { $message }
  .remedy = Yeniden başlatın. Kayıtlı koşular korunur.
error-boot-silent = Python başlamadı: “{ $stage }” adımında { $seconds } s boyunca ses gelmedi.
  .remedy = Yeniden başlatın. Yine takılırsa sayfayı yeniden yükleyin.
error-boot-worker = Python’un işçisi başlamadı: { $reason }.
  .remedy = Sayfayı yeniden yükleyin ya da daha yeni bir tarayıcı kullanın.
error-catalog = Tarif geçersiz. İleti: { $message }
error-checkpoint = Bir denetim noktası okunamadı. İleti: { $message }
error-content = Bir içerik okunamadı. İleti: { $message }
error-data = Veri okunamadı. İleti: { $message }
error-data-cors = { $host } yanıt veriyor, ama { $origin } sayfalarının yanıtı okumasına izin vermiyor: Yanıtta Access-Control-Allow-Origin (CORS) başlığı yok; sunucu hangi sayfaların okuyabileceğini bununla bildirir.
  .remedy = Dosyayı indirip buraya bırakın. { $host } sunucusunu işleten kişi “Access-Control-Allow-Origin: *” gönderebilir.
error-data-unreachable = { $host } yanıt vermedi.
  .remedy = Adresi ve bağlantıyı denetleyin ya da dosyayı indirip buraya bırakın.
error-data-policy = Bu sayfanın sunulduğu güvenlik ilkesi { $host } adresine sormasına izin vermiyor.
  .remedy = Dosyayı indirip buraya bırakın ya da sayfayı sunan kişiden izin vermesini isteyin (static/worker.js için connect-src).
error-data-status = { $host } yanıtı { $status }: Dosya orada değil ya da herkese açık değil.
  .remedy = Adresi denetleyin.
error-file-large = “{ $name }” dosyası bir program için çok büyük.
  .remedy = Bir SML dosyası seçin; birkaç kilobayttır.
error-gpu = GPU bir hata bildirdi. İleti: { $message }
error-gpu-lost = GPU koşunun ortasında yitti. Kabul edilen parçalar korundu.
  .remedy = Koşuyu sürdürün.
error-gpu-none = Burada WebGPU bağdaştırıcısı bulunamadı. CPU yolu aynı çekimleri daha yavaş hesaplar.
error-gpu-oom = GPU belleği bu koşuya yetmiyor.
  .remedy = GPU kullanan başka programları kapatın ya da parça başına daha az çekim alın.
error-gpu-shader = GPU, programın çekirdeğini geri çevirdi. İleti: { $message }
error-graph = Program geçersiz. İleti: { $message }
error-job = İş geçersiz ya da bozuk. İleti: { $message }
error-job-engine = İş { $wanted } sürümlü motor için yapılmış; buradaki { $have }.
  .remedy = O sürümle açın. Motorlar arasında bitler ayrılabilir.
error-kernel = İş GPU için uygun değil. İleti: { $message }
error-oracle = CPU yolu başarısız oldu. İleti: { $message }
error-plan = Ön koşu başarısız oldu. İleti: { $message }
error-plan-cancellation = 32 bitlik sayılarda sonuç çok fazla götürüyor. İleti: { $message }
  .remedy = Büyük sayılar birbirini götürmesin diye programı anma değerinden sapmalarla yazın ya da parça başına daha az çekim alın.
error-plan-constant = Programın çıktısı değişmiyor: çekilecek bir şey yok.
error-plan-nonfinite = Ön koşunun { $draws } çekiminden { $bad } tanesi sonlu bir sayı değil.
  .remedy = Negatif olabilecek bir şeyin logaritmasını ya da kökünü, sıfır olabilecek bir şeye bölmeyi arayın.
error-pool = Havuzda bir şey başarısız oldu. İleti: { $message }
error-pool-aside = Bu aygıt ayrıldı: bir sonucu yanlıştı ya da verilmedi.
  .remedy = İşini başkaları yapıyor; ne olduğunu havuzun bildirimleri söyler.
error-pool-consent = Bu aygıt havuz için hesaplamayı onaylamadı.
error-pool-engine = Havuz { $wanted } sürümlü motorla hesaplıyor; bu aygıttaki { $have }.
  .remedy = Sayfayı burada yeniden yükleyin. Yetmezse havuzun kendi sayfasını açın.
error-pool-full = Havuz dolu.
error-pool-invite = Çağrı geçerli değil.
  .remedy = Yeni bir bağlantı isteyin.
error-pool-link = Bu bir çağrı bağlantısı değil.
  .remedy = Adresin tümünü kopyalayın.
error-pool-none = Bu sayfanın yanında koordinatör yok; havuz bir tane ister.
  .remedy = “scellis serve” ile sunulan sayfayı açın. Tek başına koşu koordinatör istemez.
error-pool-replaced = Bu tarayıcının başka bir sekmesi bu havuzu devraldı.
  .remedy = Orada sürdürün ya da onu kapatıp yeniden katılın.
error-pool-unknown = Koordinatörde böyle bir havuz yok.
  .remedy = Yeni bir bağlantı isteyin.
error-pool-version = Koordinatörün havuz protokolü { $wanted }, bu aygıtınki { $have }.
  .remedy = Eski olan yerde sayfayı yeniden yükleyin.
error-record = Tutanak okunamadı. İleti: { $message }
error-record-long = { $message }
  .remedy = Daha az ve daha büyük parçalı bir işin URL’si olur.
error-record-url = Koşunun URL adresi okunamadı. İleti: { $message }
  .remedy = Adresin tümünü, son karakterine dek kopyalayın.
error-rng = Rastgele sayı akışı geçersiz. İleti: { $message }
error-run = Koşu başarısız oldu. İleti: { $message }
error-run-unverified = Havuzun sonucu doğrulanmadı. İleti: { $message }
  .remedy = Bu sonucu kullanmayın; eşgüdümcüyü işletene sorun.
error-run-unknown = Bu aygıtta böyle bir koşu yok.
  .remedy = Baştan başlatın.
error-sml = Program metni okunamadı. İleti: { $message }
error-store = Tarayıcının saklaması bir hata bildirdi. İleti: { $message }
error-store-full = Tarayıcı, koşunun saklaması gerekeni saklamadı. İleti: { $message }
  .remedy = Yer açın ya da bu siteye saklama izni verin. Önceden saklananlar yerinde duruyor.
error-store-lost = Tarayıcı, bu sayfanın sakladığını okumadı. İleti: { $message }
  .remedy = Sayfayı yeniden yükleyin.
error-tensor = Veriler bozuk. İleti: { $message }
error-train = Eğitim yapılamadı. İleti: { $message }
error-train-elsewhere = Bu eğitim, bu tarayıcının başka bir sekmesinde ya da penceresinde sürüyor.
  .remedy = Orada sürdürün ya da önce orada duraklatın.
