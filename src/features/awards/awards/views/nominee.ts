import { type Static, Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import type { ShownTarget } from '../store/targets.ts'
import type { Category, Edition, Nominee } from '../types.ts'

const Tournament = {
  guid: Guid,
  id: Type.String({ examples: ['spring-cup'] }),
  name: Type.String({ examples: ['Spring Cup'] }),
}

/** The nominated record, if everybody may see it. At most one of these members is not null. */
export const targetMembers = {
  user: nullable(
    Type.Object({ guid: Guid, preferredName: Type.String({ examples: ['Quaver'] }) }, { title: 'NominatedUser' }),
  ),
  tournament: nullable(Type.Object(Tournament, { title: 'NominatedTournament' })),
  team: nullable(
    Type.Object(
      {
        guid: Guid,
        id: Type.String({ examples: ['quavers'] }),
        name: Type.String({ examples: ['The Quavers'] }),
        tournament: Type.Object(Tournament),
      },
      { title: 'NominatedTeam' },
    ),
    'Null for what is no team, and for one that is gone, or that not everybody may see.',
  ),
}

/** Shows nothing of a record that is deleted or that not everybody may see. */
export function targetView(target: ShownTarget | undefined) {
  const views = { user: null, tournament: null, team: null }
  if (target === undefined) return views
  const { type, ...record } = target
  return { ...views, [type]: record } as Pick<NomineeView, 'user' | 'tournament' | 'team'>
}

export const NomineeView = Type.Object(
  {
    guid: Guid,
    label: Type.String({ examples: ['Quaver'] }),
    imageUrl: nullable(Type.String({ examples: ['https://cdn.example.org/quaver.png'] })),
    link: nullable(Type.String({ examples: ['https://example.org/quaver'] })),
    description: Type.String({ description: 'Plain text.' }),
    ...targetMembers,
    declined: Type.Boolean({ description: 'It cannot be voted for; votes for it are void.' }),
    nominations: nullable(Type.Integer(), 'Users whose nominations it stands for, for managers; null for others.'),
    result: nullable(
      Type.Object(
        {
          place: nullable(Type.Integer(), 'Null where nobody voted.'),
          votes: nullable(Type.Integer(), 'Null where the edition shows no counts.'),
          share: nullable(
            Type.Number(),
            'Of the ballots in the category, 0 to 1; null where the edition shows no counts.',
          ),
          winner: Type.Boolean(),
        },
        { title: 'NomineeResult' },
      ),
      'Null until the results are published, and for who has declined.',
    ),
  },
  { title: 'Nominee' },
)
export type NomineeView = Static<typeof NomineeView>

export interface NomineeFacts {
  readonly edition: Pick<Edition, 'status' | 'rules'>
  readonly targets: ReadonlyMap<string, ShownTarget>
  /** null for readers who may not see the counts. */
  readonly counts: ReadonlyMap<string, number> | null
}

export function nomineeView(nominee: Nominee, { edition, targets, counts }: NomineeFacts): NomineeView {
  const { guid, label, imageUrl, link, description } = nominee
  return {
    guid,
    label,
    imageUrl,
    link,
    description,
    ...targetView(targets.get(nominee.targetGuid ?? '')),
    declined: nominee.declinedAt !== null,
    nominations: counts === null ? null : (counts.get(guid) ?? 0),
    result: resultView(nominee, edition),
  }
}

/** The result of a nominee; null before the publication. (A4, A10) */
function resultView(
  { result }: Nominee,
  { status, rules: { showCounts } }: NomineeFacts['edition'],
): NomineeView['result'] {
  if (status !== 'published' || result === null) return null
  const { place, votes, share, winner } = result
  return { place, votes: showCounts ? votes : null, share: showCounts ? share : null, winner }
}

/** The answer to a user who has declined. */
export const DeclinedView = Type.Object(
  {
    guid: Guid,
    label: Type.String({ examples: ['Quaver'] }),
    editionGuid: Guid,
    category: Type.Object({ guid: Guid, name: Type.String({ examples: ['Player of the year'] }) }),
    declined: Type.Boolean(),
  },
  { title: 'DeclinedNomination' },
)

export function declinedView(
  { guid, label, declinedAt }: Nominee,
  { guid: categoryGuid, name, editionGuid }: Category,
): Static<typeof DeclinedView> {
  return { guid, label, editionGuid, category: { guid: categoryGuid, name }, declined: declinedAt !== null }
}
