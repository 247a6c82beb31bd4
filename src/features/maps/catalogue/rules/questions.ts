import type { Song } from '../../../../infra/clients/catalogue-songs.ts'
import type { LeaderboardMap } from '../../../../infra/clients/leaderboards.ts'
import type { Answer, Finding, SongReference, StoredAnswer } from '../types.ts'

/** Questions to the sources for references, and what the answers mean for them. (pools: The catalogue connector) */

/** The source of each kind of question. The kind is the prefix of the question in the cache. */
export const sources = { hash: 'catalogue', key: 'catalogue', a: 'platform A', b: 'platform B' } as const
export type Kind = keyof typeof sources
export type Source = (typeof sources)[Kind]

export function questionOf(kind: Kind, name: string): string {
  return `${kind}:${name}`
}

export function kindOf(question: string): string {
  return question.slice(0, question.indexOf(':'))
}

export function nameOf(question: string): string {
  return question.slice(question.indexOf(':') + 1)
}

export function boardQuestion(reference: SongReference): string[] {
  if (reference.kind === 'leaderboardA') return [questionOf('a', reference.id)]
  if (reference.kind === 'leaderboardB') return [questionOf('b', reference.id)]
  return []
}

/** A song that was found by its key or by an old hash also answers the questions for its own key and hash. */
export function answersOf(
  kind: Kind,
  answered: ReadonlyMap<string, Song | LeaderboardMap | null>,
  answeredAt: Date,
): StoredAnswer[] {
  const given = new Map<string, StoredAnswer>()
  const put = (question: string, answer: StoredAnswer['answer']) =>
    given.set(question, { question, answer, answeredAt })
  for (const answer of answered.values()) {
    if (answer === null || !('key' in answer)) continue
    put(questionOf('key', answer.key), answer)
    put(questionOf('hash', answer.hash), answer)
  }
  for (const [name, answer] of answered) put(questionOf(kind, name), answer)
  return [...given.values()]
}

/** A reference, with the question about its song. */
export interface Asked extends Pick<Finding, 'hash' | 'named'> {
  /** null if the leaderboard settles it already; then `answer` is the answer. */
  readonly question: string | null
  /** The question to ask if the catalogue does not know the hash: the one for the key. (D71) */
  readonly fallback: string | null
  readonly answer: Answer
}

const unreachable: Answer = { outcome: 'unreachable' }
const nothingNamed = { difficulty: null, characteristic: null }

export function askedBy(reference: SongReference, boards: ReadonlyMap<string, StoredAnswer>): Asked {
  const plain = { hash: null, named: nothingNamed, answer: unreachable, fallback: null }
  if (reference.kind === 'key') return { ...plain, question: questionOf('key', reference.key) }
  if (reference.kind === 'hash') {
    const { hash, key = null } = reference
    return {
      ...plain,
      hash,
      question: questionOf('hash', hash),
      fallback: key === null ? null : questionOf('key', key),
    }
  }
  const [board = ''] = boardQuestion(reference)
  const found = boards.get(board)
  if (found === undefined) return { ...plain, question: null }
  if (found.answer === null) {
    return { ...plain, question: null, answer: { outcome: 'unknown', answeredAt: found.answeredAt } }
  }
  const { hash, difficulty, characteristic } = found.answer as LeaderboardMap
  return { ...plain, hash, named: { difficulty, characteristic }, question: questionOf('hash', hash) }
}

/** Returns the question for the key, if the catalogue does not know the hash. (D71) */
export function fallsBack({ question, fallback }: Asked, answers: ReadonlyMap<string, StoredAnswer>): string[] {
  const isUnknown = question !== null && answers.get(question)?.answer === null
  return isUnknown && fallback !== null ? [fallback] : []
}

/**
 * If the catalogue does not know the hash, the song of the key gives the version that is published now: the map is an
 * older version of it. (D71)
 */
export function findingOf(
  { question, fallback, answer, hash, named }: Asked,
  answers: ReadonlyMap<string, StoredAnswer>,
): Finding {
  if (question === null) return { ...answer, hash, named }
  const found = answers.get(question)
  if (found === undefined) return { ...unreachable, hash, named }
  const { answeredAt } = found
  if (found.answer === null) {
    if (fallback === null) return { outcome: 'unknown', answeredAt, hash, named }
    const second = answers.get(fallback)
    if (second === undefined) return { ...unreachable, hash, named }
    const byKey = { key: nameOf(fallback), hashAnsweredAt: answeredAt }
    const common = { answeredAt: second.answeredAt, byKey, hash, named }
    return second.answer === null
      ? { outcome: 'unknown', ...common }
      : { outcome: 'found', song: second.answer as Song, ...common }
  }
  return { outcome: 'found', song: found.answer as Song, answeredAt, hash, named }
}
