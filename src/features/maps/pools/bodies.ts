import { type TProperties, Type } from 'typebox'
import { tournamentRoles } from '../../../core/roles.ts'
import { exampleGuid, Guid, Instant, nullable, OptionalInstant, oneOf } from '../../../core/schema.ts'
import { characteristicPattern, difficulties } from '../catalogue/types.ts'
import { maxAttempts, maxMaps, maxNote, maxStaffNote, maxWeight, modifiers, playerOptions } from './rules/maps.ts'
import {
  maxDescription,
  maxName,
  maxPlaylistAuthor,
  maxPlaylistDescription,
  maxPlaylistTitle,
} from './rules/settings.ts'
import { poolKinds } from './types.ts'
import { SlotView } from './views/pool.ts'

export const maxReason = 300
/** Number of characters of a data URI with 256 KiB in base64. */
const maxCoverCharacters = 360_000
const maxFlairs = 40

const name = Type.String({ minLength: 1, maxLength: maxName, examples: ['Quarter-finals'] })

const poolSettings = {
  description: Type.Optional(nullable(Type.String({ maxLength: maxDescription }), 'Markdown.')),
  kind: Type.Optional(oneOf(poolKinds, { description: 'One `qualifier` pool that is not archived per tournament.' })),
  order: Type.Optional(Type.Integer({ minimum: 0, description: 'Its place in the list, from 0.' })),
  slots: Type.Optional(
    Type.Array(SlotView, { maxItems: maxFlairs, description: 'How many maps of which flair it is to have.' }),
  ),
  playlist: Type.Optional(
    Type.Object({
      title: Type.Optional(nullable(Type.String({ maxLength: maxPlaylistTitle }))),
      author: Type.Optional(nullable(Type.String({ maxLength: maxPlaylistAuthor }))),
      description: Type.Optional(nullable(Type.String({ maxLength: maxPlaylistDescription }))),
    }),
  ),
  cover: Type.Optional(
    nullable(
      Type.String({ maxLength: maxCoverCharacters }),
      'A data URI with a PNG or JPEG: square, 64 to 1024 pixels, at most 256 KiB; null for the picture that is made from the name.',
    ),
  ),
  previewRoles: Type.Optional(
    Type.Array(oneOf(tournamentRoles), { maxItems: tournamentRoles.length, description: 'Who reads it early.' }),
  ),
}

export const CreatePoolBody = Type.Object({ name, ...poolSettings }, { examples: [{ name: 'Quarter-finals' }] })

const DraftRevision = Type.Integer({ minimum: 0, description: 'As it was read; a change since then is 409.' })

export const ChangePoolBody = Type.Object(
  { name: Type.Optional(name), ...poolSettings, draftRevision: Type.Optional(DraftRevision) },
  { examples: [{ description: 'Ten maps, two of each flair.' }] },
)

const Reason = Type.String({ minLength: 1, maxLength: maxReason, examples: ['The mapper uploaded a new version.'] })
export const CorrectionReason = Type.Optional(
  nullable(Reason, 'Needed once the pool is published: everybody reads it among the changes.'),
)

const options = Type.Partial(
  Type.Object({
    disablePause: Type.Boolean(),
    disableFail: Type.Boolean(),
    disableScoreSubmission: Type.Boolean(),
    showScoreboard: Type.Boolean(),
    disableCustomNotesOnStream: Type.Boolean(),
    // The assistant stores it as a signed 32-bit integer.
    target: nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  }),
)

/** The settings of a map in a pool. */
export const mapSettings = {
  flairGuid: Type.Optional(nullable(Guid)),
  isTiebreaker: Type.Optional(Type.Boolean()),
  modifiers: Type.Optional(
    Type.Array(oneOf(modifiers), { maxItems: modifiers.length, description: 'The assistant’s GameOptions.' }),
  ),
  playerOptions: Type.Optional(
    Type.Array(oneOf(playerOptions), { maxItems: playerOptions.length, description: 'The assistant’s PlayerOptions.' }),
  ),
  options: Type.Optional(options),
  attempts: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: maxAttempts }))),
  weight: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: maxWeight })),
  note: Type.Optional(nullable(Type.String({ maxLength: maxNote }), 'For everybody.')),
  releaseAt: OptionalInstant,
  staffNote: Type.Optional(nullable(Type.String({ maxLength: maxStaffNote }), 'For poolers.')),
} satisfies TProperties

/** Names a map: by a reference that users paste, or by its GUID in this service. */
export const mapReference = {
  ref: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'A key, `!bsr` with a key, a hash, or a link to the map in the catalogue or on a ranking platform.',
      examples: ['1a2b3'],
    }),
  ),
  mapGuid: Type.Optional(Guid),
  difficulty: Type.Optional(
    Type.Union([Type.String({ maxLength: 20 }), Type.Integer()], {
      description: `${difficulties.join(', ')}, in any case, or 1, 3, 5, 7, 9; may be left out where there is one alone.`,
    }),
  ),
  characteristic: Type.Optional(Type.String({ pattern: characteristicPattern, examples: ['Standard'] })),
  keepMissing: Type.Optional(
    Type.Boolean({ description: 'A hash that the catalogue does not have is taken nevertheless.' }),
  ),
} satisfies TProperties

const exampleMap = { ref: '1a2b3', difficulty: 'ExpertPlus' }

export const AddMapBody = Type.Object(
  { ...mapReference, ...mapSettings, reason: CorrectionReason },
  { examples: [exampleMap] },
)
export const EditMapBody = Type.Object(
  { ...mapSettings, reason: CorrectionReason },
  { examples: [{ note: 'The tiebreaker of the group stage.', reason: 'The note was missing.' }] },
)
export const ReplaceMapBody = Type.Object({ ...mapReference, reason: CorrectionReason }, { examples: [exampleMap] })
export const ReasonBody = Type.Object({ reason: CorrectionReason })
export const UnpublishBody = Type.Object({ reason: Reason })

export const OrderBody = Type.Object(
  {
    draftRevision: DraftRevision,
    maps: Type.Array(Guid, { maxItems: maxMaps, description: 'Every map of the pool once.' }),
    reason: CorrectionReason,
  },
  { examples: [{ draftRevision: 1, maps: [exampleGuid], reason: 'In the order in which they are played.' }] },
)

export const PublishBody = Type.Object(
  {
    publishAt: Type.Optional(nullable(Instant, 'When it is published; left out: now; null: it is not any more.')),
    force: Type.Optional(Type.Boolean({ description: 'In spite of everything that it lacks but maps.' })),
  },
  { examples: [{ force: false }] },
)

const FlairInput = Type.Object({
  guid: Type.Optional(Guid),
  name: Type.String({ minLength: 1, maxLength: 40, examples: ['Tech'] }),
  color: Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#3fa7d6'] }),
  icon: Type.Optional(
    nullable(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$', examples: ['bolt'] }), 'Name of an icon.'),
  ),
})

export const FlairsBody = Type.Object(
  {
    flairs: Type.Array(FlairInput, { maxItems: maxFlairs }),
    replaceWith: Type.Optional(
      Type.Array(Type.Object({ from: Guid, to: Guid }), {
        maxItems: maxFlairs,
        description: 'What maps carry in place of a flair that is left out.',
      }),
    ),
    reason: Type.Optional(
      nullable(Type.String({ maxLength: 500 }), 'Why published pools are corrected by it; for everybody.'),
    ),
  },
  { examples: [{ flairs: [{ name: 'Tech', color: '#3fa7d6', icon: 'bolt' }] }] },
)

export const PoolingBody = Type.Object(
  { openSuggestions: Type.Optional(Type.Boolean()), hideVotes: Type.Optional(Type.Boolean()) },
  { examples: [{ openSuggestions: true }] },
)
