import { type Static, Type } from 'typebox'
import { tournamentRoles } from '../../../core/roles.ts'
import { Guid, Instant, nullable, OptionalInstant, oneOf } from '../../../core/schema.ts'
import { availabilityStatuses } from '../../../engine/availability.ts'
import { TournamentRoleName } from '../../tournaments/access/views.ts'
import { maxDescriptionCharacters } from './rules/sheet.ts'
import { audiences, eligibilities, modes, type SlotMinutes, slotLengths } from './types.ts'

/** The request bodies of the operations. (rest-interface: AvailabilitySheetInput and the response inputs) */

export const maxWindows = 100
export const maxMatches = 200
/**
 * The maximum number of answers in a request: six weeks of single quarters of an hour, and some more. Longer periods
 * need fewer answers.
 */
export const maxInputs = 4_500

export const Status = oneOf(availabilityStatuses)
export const SlotLength = Type.Unsafe<SlotMinutes>({
  type: 'integer',
  enum: [...slotLengths],
  description: 'Of the slots that teams answer; staff answer quarters of an hour whatever it is.',
})

export const SheetBody = Type.Object(
  {
    audience: Type.Optional(oneOf(audiences, { description: '`staff` unless given.' })),
    teamEligibility: Type.Optional(
      oneOf(eligibilities, {
        description: '`registered` asks registered teams that are not qualified; `both` unless given.',
      }),
    ),
    slotMinutes: Type.Optional(SlotLength),
    acceptedStatuses: Type.Optional(
      Type.Array(Status, { minItems: 1, uniqueItems: true, description: 'All four unless given.' }),
    ),
    title: Type.String({ minLength: 1, maxLength: 255, examples: ['Casting the playoffs'] }),
    description: Type.Optional(nullable(Type.String({ maxLength: maxDescriptionCharacters }), 'In Markdown.')),
    mode: oneOf(modes, { description: '`matches` is for staff alone.' }),
    roles: Type.Optional(
      Type.Array(TournamentRoleName, {
        maxItems: tournamentRoles.length,
        uniqueItems: true,
        description: 'Whom a sheet for staff asks; every role unless given. Empty for teams.',
      }),
    ),
    timezone: Type.String({
      maxLength: 64,
      description: 'IANA name of the zone in which the sheet is written.',
      examples: ['Europe/Berlin'],
    }),
    startsAt: OptionalInstant,
    endsAt: OptionalInstant,
    closesAt: OptionalInstant,
    matchGuids: Type.Optional(Type.Array(Guid, { maxItems: maxMatches, uniqueItems: true })),
    windows: Type.Optional(
      Type.Array(Type.Object({ startsAt: Instant, endsAt: Instant }), {
        maxItems: maxWindows,
        description: 'From quarter to quarter of an hour, without overlaps.',
      }),
    ),
  },
  {
    title: 'AvailabilitySheetInput',
    description:
      'A sheet of mode `matches` needs `matchGuids`, one of mode `days` `windows`, and one of mode `range` `startsAt` and `endsAt`; what belongs to another mode is ignored.',
    examples: [
      {
        audience: 'staff',
        title: 'Casting the playoffs',
        mode: 'days',
        roles: ['role:caster'],
        timezone: 'Europe/Berlin',
        windows: [{ startsAt: '2027-05-01T16:00:00.000Z', endsAt: '2027-05-01T22:00:00.000Z' }],
      },
    ],
  },
)
export type SheetInput = Static<typeof SheetBody>

const ResponseInput = Type.Object(
  {
    status: Status,
    otherReason: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
    matchGuid: Type.Optional(nullable(Guid)),
    startsAt: OptionalInstant,
    endsAt: OptionalInstant,
  },
  { title: 'AvailabilityResponseInput', description: 'Either `matchGuid`, or `startsAt` with `endsAt`.' },
)
export type ResponseInput = Static<typeof ResponseInput>

const Expected = Type.Optional(
  nullable(
    Instant,
    '`submittedAt` of the answers that were read before, null where there were none. Without it, whatever is there is replaced.',
  ),
)

export const ResponsesBody = Type.Object(
  {
    responses: Type.Array(ResponseInput, {
      maxItems: maxInputs,
      description: 'Of two for the same time, the later wins.',
    }),
    role: Type.Optional(
      nullable(TournamentRoleName, 'The role that is answered for; needed by those whom the sheet asks in several.'),
    ),
    expectedSubmittedAt: Expected,
  },
  {
    examples: [
      {
        responses: [{ status: 'available', startsAt: '2027-05-01T16:00:00.000Z', endsAt: '2027-05-01T18:30:00.000Z' }],
        role: 'role:caster',
      },
    ],
  },
)

export type ResponsesInput = Static<typeof ResponsesBody>

const TeamResponseInput = Type.Object(
  { status: Status, startsAt: Instant, endsAt: Instant },
  { title: 'TeamAvailabilityResponseInput' },
)
export type TeamResponseInput = Static<typeof TeamResponseInput>

export const TeamResponsesBody = Type.Object(
  {
    responses: Type.Array(TeamResponseInput, {
      maxItems: maxInputs,
      description: 'Whole slots of the sheet. Of two for the same time, the later wins.',
    }),
    expectedSubmittedAt: Expected,
  },
  {
    examples: [
      {
        responses: [{ status: 'available', startsAt: '2027-05-01T16:00:00.000Z', endsAt: '2027-05-01T18:00:00.000Z' }],
      },
    ],
  },
)
export type TeamResponsesInput = Static<typeof TeamResponsesBody>
