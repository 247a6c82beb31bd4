import { type Static, Type } from 'typebox'
import { exampleUser, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { maxNoteLength, maxOfMatch, maxSlots } from './rules.ts'
import { streamRoles } from './types.ts'

const Side = Type.Optional(
  nullable(
    Type.Unsafe<1 | 2>({ type: 'integer', enum: [1, 2] }),
    'Number of the side of the match; of a player whose team is known, it follows from the team.',
  ),
)
const Slot = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: maxSlots,
    description: 'Place on the side; unless given, the first that is free for a player, and 1 for all others.',
  }),
)
const Note = Type.Optional(
  nullable(Type.String({ maxLength: maxNoteLength }), 'For the tournament’s staff; an empty text removes it.'),
)

const ofUser = {
  user: Type.String({ minLength: 1, maxLength: 64, description: 'Any identifier.', examples: [exampleUser] }),
  role: oneOf(streamRoles),
  side: Side,
  slot: Slot,
  startsAt: Instant,
  endsAt: { ...Instant, description: 'At most seven days behind `startsAt`.' },
  note: Note,
}

/** Times in examples, far in the future. */
const times = { startsAt: '2099-05-01T18:00:00.000Z', endsAt: '2099-05-01T20:00:00.000Z' }

export const AssignmentBody = Type.Object(
  {
    ...ofUser,
    match: Type.Optional(
      nullable(
        Type.String({ minLength: 1, maxLength: 64 }),
        'GUID of a match, or its number; null, as unless given, for the whole tournament.',
      ),
    ),
    division: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'GUID or short id of the division, for a match named by its number.',
      }),
    ),
  },
  { examples: [{ user: exampleUser, role: 'observer', ...times, note: 'Brings the second camera.' }] },
)
export type AssignmentBody = Static<typeof AssignmentBody>

export const AssignmentChangesBody = Type.Object(
  {
    startsAt: Type.Optional(ofUser.startsAt),
    endsAt: Type.Optional(ofUser.endsAt),
    side: Side,
    slot: Slot,
    note: Note,
  },
  { examples: [{ startsAt: '2099-05-01T19:00:00.000Z', endsAt: '2099-05-01T21:00:00.000Z', note: null }] },
)
export type AssignmentChangesBody = Static<typeof AssignmentChangesBody>

const OfMatchBody = Type.Object(ofUser)
export type OfMatchBody = Static<typeof OfMatchBody>

export const MatchStreamsBody = Type.Object(
  { assignments: Type.Array(OfMatchBody, { maxItems: maxOfMatch }) },
  { examples: [{ assignments: [{ user: exampleUser, role: 'observer', side: 1, ...times }] }] },
)
