import { type Static, Type } from 'typebox'
import { mediaKindNames, mediaKinds, mediaSubjects, mediaTypes, mediaUrl } from '../../../core/media.ts'
import { Guid, Instant, NextCursor, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import type { Medium } from './types.ts'

export const MediaKindName = oneOf(mediaKindNames, { description: 'What it is for.' })

/** (media: Record and kinds) */
export const MediumView = Type.Object(
  {
    guid: Guid,
    kind: MediaKindName,
    name: Type.String({ examples: ['logo.png'] }),
    owner: nullable(UserCard, 'null once the account was given up.'),
    tournament: nullable(
      Type.Object({ guid: Guid, id: Type.String({ examples: ['spring-cup'] }) }),
      'null also where the caller may not see it.',
    ),
    platform: nullable(Type.Object({ contextId: Type.String({ examples: ['main'] }) })),
    type: oneOf(Object.values(mediaTypes), { description: 'Media type as it is delivered.' }),
    bytes: Type.Integer({ minimum: 0, description: 'As it is delivered.' }),
    width: nullable(Type.Integer({ minimum: 1 }), 'null for fonts.'),
    height: nullable(Type.Integer({ minimum: 1 }), 'null for fonts.'),
    animated: Type.Boolean(),
    durationMs: nullable(Type.Integer({ minimum: 0 }), 'Of a video.'),
    color: nullable(Type.String({ examples: ['#2e6b8a'] }), 'Dominant colour, to be shown while it loads.'),
    digest: Type.String({ description: 'SHA-256 of the delivered bytes, in hex.' }),
    url: Type.String({ description: 'Where it is delivered; records refer to it by this.' }),
    variants: Type.Array(Type.Object({ width: Type.Integer(), url: Type.String() }), {
      description:
        'The same in smaller sizes, the narrowest first. With `.png` or `.jpeg` in place of `.webp` they come as that.',
    }),
    usages: Type.Integer({ minimum: 0, description: 'In how many fields of records it stands, texts among them.' }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Media', description: 'A picture, video or font that a user gave, written anew by the service.' },
)
export type MediumView = Static<typeof MediumView>

/** The records of a medium that the viewer may see. */
export interface Around {
  readonly owner: UserFacts | null
  readonly tournament: Medium['tournament']
}

export function mediumView(medium: Medium, { owner, tournament }: Around, mediaOrigin: string): MediumView {
  const { guid, kind, type, width, platform } = medium
  const url = mediaUrl(mediaOrigin, guid, type)
  const widths = mediaKinds[kind].widths.filter((each) => width !== null && each <= width)
  return {
    guid,
    kind,
    type,
    width,
    url,
    name: medium.name,
    owner: owner === null ? null : userCard(owner),
    tournament: tournament === null ? null : { guid: tournament.guid, id: tournament.id },
    platform: platform === null ? null : { contextId: platform.contextId },
    bytes: medium.bytes,
    height: medium.height,
    animated: medium.isAnimated,
    durationMs: medium.durationMs,
    color: medium.color,
    digest: medium.digest.toString('hex'),
    variants: widths.map((each) => ({ width: each, url: `${mediaOrigin}/media/${guid}/${each}.webp` })),
    usages: medium.usages,
    createdAt: formatInstant(medium.createdAt),
    updatedAt: formatInstant(medium.updatedAt),
  }
}

export const QuotaView = Type.Object(
  {
    bytes: Type.Integer({ description: 'That there may be.' }),
    usedBytes: Type.Integer(),
    files: Type.Integer({ description: 'That there may be.' }),
    usedFiles: Type.Integer(),
  },
  { title: 'MediaQuota' },
)

export const MediaPage = Type.Object({ media: Type.Array(MediumView), nextCursor: NextCursor })
export const MediaPageWithQuota = Type.Object({ ...MediaPage.properties, quota: QuotaView })

export const UsageView = Type.Object(
  {
    subject: oneOf(mediaSubjects, { description: 'What uses it.' }),
    guid: Type.String({ description: 'Of what uses it; empty where that is gone or hidden from the caller.' }),
    field: Type.String({ examples: ['imageUrl'] }),
    name: Type.String({ description: 'Of what uses it; empty where that is gone or hidden from the caller.' }),
    mayDetach: Type.Boolean({ description: 'Whether the caller may unset the field.' }),
  },
  { title: 'MediaUsage' },
)
export type UsageView = Static<typeof UsageView>
