/** Marks of women's, youth and second teams, in the words of several languages, beside one name of a listing. */
import { expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

const startsAt = Date.UTC(2027, 1, 6, 15)

function areOne(ours: string, theirs: string, opponent: string, sport = 'soccer'): boolean {
  const externalIds = new Map([['pinnacle', '1']])
  const candidate = { id: 'x', home: theirs, away: opponent, startsAt, externalIds }
  const listing = { home: ours, away: opponent, startsAt, sportsbook: 'bet365' }
  return findMatch(listing, [candidate], sideOptionsOf(sport, 'friendlies')) !== null
}

const clubs: readonly (readonly [club: string, opponent: string, marks: string])[] = [
  ['Brøndby', 'AGF', 'Piger|(Piger)|Kvinder|Reserver|U19|DFF'],
  ['Rosenborg', 'Brann', 'Jenter|Kvinner|Ungdom'],
  ['AIK', 'Malmö', 'Flickor|Damer'],
  ['HJK', 'KTP', 'Tytöt|Naiset|Akatemia|Juniorit|Reservi'],
  ['Ajax', 'Cambuur', 'Amateurs|(Amateurs)|Amateur|Meisjes|Vrouwen|Beloften|Jong'],
  ['Bayern', 'Wolfsburg', 'Mädchen|Frauen|Amateure'],
  ['Juventus', 'Milan', 'NG|Next Gen|Donne|Ragazze|Femminile|Primavera|Berretti|Allievi'],
  ['Lyon', 'PSG', 'Filles|Femmes|Féminines'],
  ['Flamengo', 'Corinthians', 'Meninas|Mulheres|Feminino|Reservas|Aspirantes'],
  ['Ferencváros', 'MTK', 'Lányok|(női)|(nők)|tartalék'],
  ['Galatasaray', 'Fenerbahçe', 'A2|(A2)|Kızlar|Kadın|Gençler|Rezerv|PAF'],
  ['Sparta', 'Slavia', 'Dívky|ženy|Rezerva'],
  ['Crvena Zvezda', 'Partizan', 'devojke|žene|omladinci|kadeti'],
  ['Persija', 'Arema', 'Putri|Wanita'],
  ['Hà Nội', 'Huế', '(Nữ)|U21|II'],
  ['Спартак', 'ЦСКА', 'женские|Женские|девушки|(жен)|дубль|юноши|резерв|мол.'],
  ['Шахтар', 'Рух', 'жінки|(жін)|дівчата|резерв'],
  ['Ολυμπιακός', 'ΑΕΚ', 'Γυναίκες|Γυναικών|Γυν|Κ19|Β'],
  ['الهلال', 'النصر', 'سيدات|(سيدات)|للسيدات|نساء|فتيات|تحت 21|رديف|ناشئين'],
  ['מכבי חיפה', 'הפועל', 'נשים|(נשים)|נערות|נוער'],
  ['บุรีรัมย์', 'ชลบุรี', 'หญิง|(หญิง)|สำรอง|เยาวชน'],
  ['浦和レッズ', '鹿島アントラーズ', 'レディース|女子|ユース'],
  ['上海海港', '北京国安', '女足|预备队|青年队|二队|B队'],
  ['전북 현대', 'FC 서울', '여자|2군|유스'],
]

test.each(
  clubs.flatMap(([club, opponent, marks]) =>
    marks.split('|').map((mark) => [`${club} ${mark}`, club, opponent] as const),
  ),
)('%s is not %s', (marked, club, opponent) => {
  expect(areOne(marked, club, opponent)).toBe(false)
  expect(areOne(club, marked, opponent)).toBe(false)
  expect(areOne(marked, marked, opponent)).toBe(true)
})

test('the club has the same opponent without a mark', () => {
  for (const [club, opponent] of clubs) expect(areOne(club, club, opponent), club).toBe(true)
})

test.each([
  ['Brøndby Piger', 'Brøndby Women'],
  ['Ajax Amateurs', 'Jong Ajax'],
  ['Juventus NG', 'Juventus Next Gen'],
  ['Galatasaray A2', 'Galatasaray II'],
  ['الهلال سيدات', 'الهلال (نساء)'],
])('%s is %s', (one, other) => {
  expect(areOne(one, other, 'Zorvex')).toBe(true)
  expect(areOne(other, one, 'Zorvex')).toBe(true)
})

test('A2 is a division outside soccer', () => {
  expect(areOne('Galatasaray A2', 'Galatasaray', 'Zorvex', 'volleyball')).toBe(true)
})
