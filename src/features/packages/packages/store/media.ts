import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { mediaKindNames, mediaTypes } from '../../../../core/media.ts'
import { oneOf } from '../../../../core/schema.ts'
import { media } from '../../../../infra/media/tables.ts'
import { digestOf } from '../../../../infra/secrets.ts'
import { badgeGrants, badges } from '../../../awards/badges/tables.ts'
import { badgeKinds, badgeLimits, grantSources } from '../../../awards/badges/types.ts'
import { maxNameCharacters } from '../../../media/media/rules.ts'
import { teams } from '../../../teams/teams/tables.ts'
import { nameUpTo, textUpTo, wordUpTo } from './bounds.ts'
import {
  columnsOf,
  follows,
  forStaff,
  hexOf,
  kind,
  link,
  member,
  never,
  ofTournament,
  person,
  plain,
  typed,
} from './kind.ts'

export const badgesKind = kind(
  'badges',
  columnsOf(badges, {
    ...{ guid: plain, name: typed(nameUpTo(badgeLimits.name)), description: typed(textUpTo(badgeLimits.description)) },
    ...{ kind: typed(oneOf(badgeKinds)), mediaGuid: plain, imageUrl: link },
    ...{ tournamentGuid: ofTournament, editionGuid: plain, holders: follows('badgeGrants') },
    importDigest: never('recognises what another platform has told'),
    ...{ retiredAt: plain, createdBy: person, createdAt: plain, updatedAt: plain },
  }),
  { open: { members: ['guid', 'name', 'description', 'kind', 'imageUrl', 'retiredAt', 'createdAt', 'updatedAt'] } },
)

const Place = Type.Integer({ minimum: 1, maximum: badgeLimits.place })
const ofBadges = (tournament: string) => sql`(select b.guid from ${badges} b where b.tournament_guid = ${tournament})`

/** Not those that their holders hide. */
export const grants = kind(
  'badgeGrants',
  columnsOf(badgeGrants, {
    ...{ guid: plain, badgeGuid: plain, userGuid: person, label: typed(nameUpTo(badgeLimits.label, 'text')) },
    ...{ place: typed(Place), awardedAt: plain, source: typed(oneOf(grantSources)) },
    hidden: never('what its holder hides is in no package'),
    position: never('the order in which holders show their badges is theirs'),
    ...{ grantedBy: person, revokedAt: plain, revokeReason: forStaff(textUpTo(badgeLimits.reason)), createdAt: plain },
  }),
  {
    of: (tournament) => sql`${badgeGrants.badgeGuid} in ${ofBadges(tournament)} and not ${badgeGrants.hidden}`,
    open: {
      members: ['guid', 'badgeGuid', 'userGuid', 'label', 'place', 'awardedAt', 'source'],
      rows: () => sql`${badgeGrants.revokedAt} is null`,
    },
  },
)

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file.' })
const use = follows('the records that use it')

/** The media of the tournament, of its teams and of its badges; people keep their own. */
export const mediaKind = kind(
  'media',
  columnsOf(media, {
    ...{
      guid: plain,
      kind: typed(oneOf(mediaKindNames)),
      name: typed(nameUpTo(maxNameCharacters)),
      ownerGuid: person,
      tournamentGuid: plain,
      teamGuid: plain,
    },
    platformGuid: never('media of platforms are in no package'),
    ...{
      type: typed(oneOf(Object.values(mediaTypes))),
      bytes: plain,
      width: plain,
      height: plain,
      isAnimated: plain,
      durationMs: plain,
      color: typed(wordUpTo(16)),
    },
    digest: member({ impersonal: 'digest', schema: Digest, value: sql`encode(${media.digest}, 'hex')` }),
    uploadDigest: never('of a file that is not kept'),
    ...{ hasRightsConfirmed: plain, unusedSince: use, wasUsed: use, createdAt: plain, updatedAt: plain },
  }),
  {
    of: (tournament) => sql`${media.tournamentGuid} = ${tournament}
      or ${media.teamGuid} in (select t.guid from ${teams} t where t.tournament_guid = ${tournament})
      or ${media.guid} in (select b.media_guid from ${badges} b where b.tournament_guid = ${tournament})`,
    open: {
      members: ['guid', 'type', 'bytes', 'width', 'height', 'isAnimated', 'durationMs', 'digest'],
      rows: ({ shownMedia }) => sql`${media.guid} = any(${sql.param([...shownMedia])}::uuid[])`,
    },
    nameless: 'none',
    // What was uploaded is not known: an upload of the same file is another medium.
    brings: {
      columns: ({ guid, digest }) => ({
        digest: hexOf(String(digest)),
        uploadDigest: hexOf(digestOf(`imported ${guid}`)),
      }),
      lacks: {
        kind: ({ guid }, { media: uses }) => uses.get(String(guid))?.kind,
        name: ({ guid }, { media: uses }) => uses.get(String(guid))?.kind,
        tournamentGuid: ({ guid }, { media: uses, tournament }) =>
          uses.get(String(guid))?.kind === 'badge_image' ? null : tournament,
        teamGuid: ({ guid }, { media: uses }) => uses.get(String(guid))?.teamGuid ?? null,
      },
    },
  },
)
