import { type BallotCount, outcomesOf } from '../../../src/engine/awards/outcomes.ts'
import { requestText } from '../data/api.ts'
import type { AwardResults } from '../data/generated.ts'
import { sha256 } from '../parts/sha256.ts'

/** Counts published ballots again in the reader's browser, and compares that with the results. (A10) */

export interface Recounted {
  readonly ballots: number
  /** Digests of the ballots as this browser has them, where others are published. */
  readonly otherDigests: readonly string[]
  /** Whose place or votes are others than the published ones. */
  readonly otherPlaces: readonly { readonly guid: string; readonly category: string; readonly label: string }[]
}

export async function countAgain(results: AwardResults): Promise<Recounted> {
  const { edition, ballotsDigest, runoffDigest } = results
  const first = await linesOf(edition.guid, 1)
  const second = runoffDigest === null ? [] : await linesOf(edition.guid, 2)
  const digests = [
    { published: ballotsDigest, own: await digestOf(first) },
    ...(runoffDigest === null ? [] : [{ published: runoffDigest, own: await digestOf(second) }]),
  ]
  return {
    ballots: first.length + second.length,
    otherDigests: digests.flatMap(({ published, own }) => (published === own ? [] : [own])),
    otherPlaces: othersOf(results, [...countsOf(first, 1), ...countsOf(second, 2)]),
  }
}

/** The rows of the table of ballots, without its header: a category and a nominee each. */
async function linesOf(edition: string, round: 1 | 2): Promise<readonly string[]> {
  const text = await requestText(`/awards/${edition}/ballots.csv?round=${round}`, { headers: { accept: 'text/csv' } })
  return text
    .split('\r\n')
    .slice(1)
    .filter((line) => line !== '')
}

async function digestOf(lines: readonly string[]): Promise<string> {
  const text = lines
    .map((line) => line.toLowerCase())
    .toSorted()
    .join('\n')
  return sha256(new TextEncoder().encode(text))
}

function countsOf(lines: readonly string[], round: 1 | 2): readonly BallotCount[] {
  return Array.from(
    Map.groupBy(lines, (line) => line),
    ([line, same]) => {
      const [category = '', nominee = ''] = line.split(',')
      return { category, nominee, round, votes: same.length }
    },
  )
}

function othersOf({ categories }: AwardResults, counts: readonly BallotCount[]): Recounted['otherPlaces'] {
  const nominees = categories.flatMap((category) =>
    category.nominees.map((nominee) => ({ ...nominee, categoryGuid: category.guid, category: category.name })),
  )
  const runs = categories.map(({ guid, nominees: own }) => {
    const inRunoff = own.filter(({ result }) => result.runoff !== null).map((nominee) => nominee.guid)
    return { guid, runoffNominees: inRunoff.length === 0 ? null : inRunoff }
  })
  // Who has declined has no result, and is not among them.
  const standing = nominees.map(({ guid, categoryGuid }) => ({ guid, categoryGuid, declinedAt: null }))
  const own = new Map(outcomesOf(runs, standing, counts).flatMap((outcome) => [...outcome.results]))
  return nominees.filter(({ guid, result }) => {
    const counted = own.get(guid)
    return (
      counted?.place !== result.place ||
      counted.winner !== result.winner ||
      counted.votes !== result.votes ||
      counted.runoff?.votes !== result.runoff?.votes
    )
  })
}
