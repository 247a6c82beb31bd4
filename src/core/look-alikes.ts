import { lazily, load } from './lazily.ts'

/**
 * Letters that imitate a letter of another script, from the confusables of Unicode (UTS #39). Within one script no two
 * different letters become the same, so only a name that changes the script can pose as another one. (D73)
 */

/** The scripts whose letters may imitate one another; a letter of any other script imitates nothing. */
const scripts = (
  'Latin Greek Cyrillic Armenian Hebrew Arabic Georgian Cherokee Coptic Lisu Han Hangul Hiragana Katakana Thai Lao Devanagari ' +
  'Bengali Tirhuta Tamil Telugu Kannada Malayalam Gujarati Sharada Oriya Myanmar Ahom Ethiopic Tifinagh Nko Vai Bamum Osage Deseret ' +
  'Canadian_Aboriginal Miao Carian Lycian Old_Italic Elbasan Warang_Citi Runic Javanese Glagolitic Cuneiform Ugaritic ' +
  'Egyptian_Hieroglyphs Meroitic_Hieroglyphs'
)
  .split(' ')
  .map((name) => ({ name, has: new RegExp(`^\\p{Script=${name}}$`, 'u') }))

function scriptOf(letter: string): string | undefined {
  return scripts.find(({ has }) => has.test(letter))?.name
}

/** The imitated letter, by the imitating letter. */
export type Imitations = ReadonlyMap<string, string>

interface Imitation {
  readonly letter: string
  readonly script: string
  readonly imitated: string
}

/**
 * The library's data holds every letter that resembles another; only letters that resemble one of another script are
 * kept.
 */
const imitations = lazily((): readonly Imitation[] =>
  Object.entries(load('unhomoglyph/data.json') as Readonly<Record<string, string>>).flatMap(([letter, found]) => {
    if (!isLetter(letter) || !isLetter(found) || letter.normalize('NFKC').normalize('NFD') !== letter) return []
    const script = scriptOf(letter)
    // The data maps a capital I, and every letter that resembles it, to a small l.
    const imitated = found === 'l' && /\p{Lu}/u.test(letter) ? 'I' : found
    const other = scriptOf(imitated)
    return script === undefined || other === undefined || other === script ? [] : [{ letter, script, imitated }]
  }),
)

function isLetter(text: string): boolean {
  return /^\p{L}$/u.test(text)
}

/**
 * The imitations of Unicode, keyed for one way of case folding. Where several letters of a script imitate the same
 * letter, only the first of them and its case forms are listed, so that they stay different: capitals come first, then
 * the order of Unicode.
 * @param foldCase maps all case forms of a letter to one
 * @param isSmall whether to list only letters that `foldCase` leaves unchanged
 */
export function imitationsOf(foldCase: (text: string) => string, isSmall: boolean): Imitations {
  const table = new Map<string, string>()
  const owners = new Map<string, string>()
  const rank = ({ letter }: Imitation) => (/\p{Ll}/u.test(letter) ? 1 : 0)
  const ordered = imitations().toSorted(
    (a, b) => rank(a) - rank(b) || (a.letter.codePointAt(0) ?? 0) - (b.letter.codePointAt(0) ?? 0),
  )
  for (const { letter, script, imitated } of ordered) {
    const [own, result] = [foldCase(letter), foldCase(imitated)]
    if ((isSmall && own !== letter) || !isLetter(own) || !isLetter(result)) continue
    const place = `${script} ${result}`
    if ((owners.get(place) ?? own) !== own) continue
    owners.set(place, own)
    table.set(letter, imitated)
  }
  return table
}
