import { type Static, Type } from 'typebox'
import { type Cell, type For, toCsv } from '../../../../core/csv.ts'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { NomineeResult } from '../../../../engine/awards/outcomes.ts'
import type { Category, Edition, Nominee } from '../types.ts'

const Share = Type.Number({ minimum: 0, maximum: 1, description: 'Of the ballots in the category.', examples: [0.25] })
const Votes = Type.Integer({ minimum: 0, examples: [120] })
const withheld = 'Null where the rules of the edition withhold counts.'

export const ResultView = Type.Object(
  {
    place: nullable(Type.Integer({ minimum: 1 }), '1, 2, 2, 4; null where nobody voted.'),
    winner: Type.Boolean(),
    votes: nullable(Votes, withheld),
    share: nullable(Share, withheld),
    runoff: nullable(
      Type.Object({ votes: nullable(Votes, withheld), share: nullable(Share, withheld) }, { title: 'RunoffResult' }),
      'Of a runoff that it was in; null for none.',
    ),
  },
  { title: 'AwardResult' },
)

export const ResultsView = Type.Object(
  {
    edition: Type.Object({
      guid: Guid,
      id: Type.String({ examples: ['2026'] }),
      title: Type.String({ examples: ['Community awards 2026'] }),
    }),
    publishedAt: Instant,
    voters: Type.Integer({ description: 'Users of whom at least one vote counts.', examples: [812] }),
    excluded: Type.Object(
      {
        votes: Type.Integer({ description: 'Votes that do not count.', examples: [9] }),
        byReason: Type.Record(Type.String(), Type.Integer(), {
          description:
            'How many for which class of reasons: a failed check of who may vote, `manager` for votes that managers left out, `nominee_declined` for those whose nominee declined.',
          examples: [{ manager: 7, banned: 2 }],
        }),
      },
      { title: 'ExcludedVotes' },
    ),
    ballotsDigest: nullable(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
      'SHA-256 of the sorted lines `category,nominee` of all ballots, joined by line feeds. Null where counts are withheld.',
    ),
    runoffDigest: nullable(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
      'The same of the ballots of runoffs; null where there was none, or counts are withheld.',
    ),
    categories: Type.Array(
      Type.Object(
        {
          guid: Guid,
          name: Type.String({ examples: ['Map of the year'] }),
          nominees: Type.Array(
            Type.Object(
              {
                guid: Guid,
                label: Type.String({ examples: ['Quaver'] }),
                link: nullable(Type.String()),
                result: ResultView,
              },
              { title: 'AwardPlace' },
            ),
            { description: 'The best first.' },
          ),
        },
        { title: 'CategoryResult' },
      ),
    ),
    corrections: Type.Array(Type.Object({ at: Instant, reason: Type.String() }), {
      description: 'What was put right since, the oldest first.',
    }),
  },
  { title: 'AwardResults' },
)
type ResultsView = Static<typeof ResultsView>

/** A published edition. Counts are withheld from everybody if the rules say so. (A10; awards: Details, 1) */
export interface Published extends Edition {
  readonly publishedAt: Date
  readonly results: NonNullable<Edition['results']>
}

export function resultsView(
  edition: Published,
  categories: readonly Category[],
  nominees: readonly Nominee[],
): ResultsView {
  const { guid, id, title, publishedAt, results, corrections, rules } = edition
  const { voters, ballotsDigest, runoffDigest } = results
  const excluded = rules.showCounts ? results.excluded : withoutDeclined(results.excluded)
  return {
    edition: { guid, id, title },
    publishedAt: formatInstant(publishedAt),
    voters,
    excluded: { votes: excluded.votes, byReason: { ...excluded.byReason } },
    ballotsDigest: rules.showCounts ? ballotsDigest : null,
    runoffDigest: rules.showCounts ? runoffDigest : null,
    categories: categories.map((category) => ({
      guid: category.guid,
      name: category.name,
      nominees: placed(category, nominees).map(({ nominee, result }) => ({
        guid: nominee.guid,
        label: nominee.label,
        link: nominee.link,
        result: resultView(result, rules.showCounts),
      })),
    })),
    corrections: corrections.map(({ at, reason }) => ({ at, reason })),
  }
}

/** The number of votes for declined nominees is a count too, so it is withheld with the others. (A10) */
function withoutDeclined({ votes, byReason }: Published['results']['excluded']): Published['results']['excluded'] {
  const { nominee_declined: declined = 0, ...others } = byReason
  return { votes: votes - declined, byReason: others }
}

export function resultView(result: NomineeResult, showCounts: boolean): Static<typeof ResultView> {
  const counted = <Value>(value: Value) => (showCounts ? value : null)
  const { place, winner, votes, share, runoff } = result
  return {
    place,
    winner,
    votes: counted(votes),
    share: counted(share),
    runoff: runoff === null ? null : { votes: counted(runoff.votes), share: counted(runoff.share) },
  }
}

/**
 * The nominees of a category that have a result, best place first, and by GUID within a place, so that the order does
 * not reveal withheld counts.
 */
function placed({ guid }: Pick<Category, 'guid'>, nominees: readonly Nominee[]) {
  return nominees
    .flatMap((nominee) =>
      nominee.categoryGuid === guid && nominee.result !== null ? [{ nominee, result: nominee.result }] : [],
    )
    .sort(
      (one, other) =>
        (one.result.place ?? 0) - (other.result.place ?? 0) || (one.nominee.guid < other.nominee.guid ? -1 : 1),
    )
}

const header = ['category', 'nominee', 'place', 'winner', 'votes', 'share', 'runoffVotes', 'runoffShare']

export function resultsCsv(read: Readonly<Parameters<typeof resultsView>>, purpose: For): string {
  const rows = resultsView(...read).categories.flatMap((category) =>
    category.nominees.map(({ label, result }): Cell[] => [
      ...[category.name, label, result.place, result.winner ? 'yes' : 'no', result.votes, result.share],
      ...[result.runoff?.votes ?? null, result.runoff?.share ?? null],
    ]),
  )
  return toCsv(header, rows, { for: purpose })
}
