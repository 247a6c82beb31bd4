import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Preset } from '../../../engine/flows/presets.ts'
import { type FlowProblem, problemCodes, type Verdict } from '../../../engine/flows/validate/types.ts'
import { flowMembers, flowMembersOf } from '../flowSessions/views/flow.ts'
import type { FlowPlan, FlowRecord } from './types.ts'

export const ProblemView = Type.Object(
  {
    code: oneOf(problemCodes),
    step: nullable(Type.String({ examples: ['3.2.1'] }), 'As it is written, from 1; null for the flow as a whole.'),
    severity: oneOf(['error', 'warning']),
    message: Type.String({ description: 'What to do about it.' }),
  },
  { title: 'FlowProblem' },
)

/** The schema of a flow. (match-flows: Flow) */
export const FlowView = Type.Object(
  {
    guid: Guid,
    tournament: Guid,
    name: Type.String({ examples: ['Best of three'] }),
    basedOn: nullable(Type.String({ examples: ['accsaber-bo3'] }), 'Name of the preset that it was made from.'),
    ...flowMembers,
    problems: Type.Array(ProblemView, { description: 'What can be told without a match and its pool.' }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Flow' },
)

export function flowView(record: FlowRecord, problems: readonly FlowProblem[]): Static<typeof FlowView> {
  const { guid, tournamentGuid, name, basedOn, definition, createdAt, updatedAt } = record
  return {
    guid,
    tournament: tournamentGuid,
    name,
    basedOn,
    ...flowMembersOf(definition),
    problems: [...problems],
    createdAt: formatInstant(createdAt),
    updatedAt: formatInstant(updatedAt),
  }
}

/** The schema of a preset, a built-in flow. (match-flows: Presets) */
export const PresetView = Type.Object(
  {
    name: Type.String({ examples: ['accsaber-bo3'] }),
    title: Type.String({ examples: ['AccSaber best of 3'] }),
    maps: nullable(Type.Integer({ examples: [7] }), 'That a pool must have; null where the best of decides it.'),
    mapsBeyondBestOf: nullable(Type.Integer(), 'That a pool must have beside as many as the best of; null otherwise.'),
    ...flowMembers,
  },
  { title: 'FlowPreset' },
)

export function presetView({ name, title, maps, flow }: Preset): Static<typeof PresetView> {
  const isNumber = typeof maps === 'number'
  return {
    name,
    title,
    maps: isNumber ? maps : null,
    mapsBeyondBestOf: isNumber ? null : maps.beyondBestOf,
    ...flowMembersOf(flow),
  }
}

const Counted = nullable(Type.Integer())

/** The schema of a validation's result. (match-flows: Validation) */
export const VerdictView = Type.Object(
  {
    valid: Type.Boolean({ description: 'There are no errors.' }),
    problems: Type.Array(ProblemView),
    worstCase: Type.Object(
      { maps: Counted, steps: Counted, seconds: Counted },
      {
        description: 'null where a best of is missing, or the flow may have no end. Turns that are passed are counted.',
      },
    ),
  },
  { title: 'FlowVerdict' },
)

export function verdictView({ valid, problems, worstCase }: Verdict): Static<typeof VerdictView> {
  return { valid, problems: [...problems], worstCase }
}

const Reference = Type.String({
  description: 'GUID of a flow of the tournament, or name of a preset.',
  examples: ['accsaber-bo3'],
})
const OptionalFlow = nullable(Reference)

/** The schema of a flow plan. (match-flows: Plan) */
export const PlanView = Type.Object(
  {
    revision: Type.Integer({ description: '0 before there is a plan; grows with each change.', examples: [0] }),
    default: { ...OptionalFlow, description: 'The flow of whatever is not named.' },
    brackets: Type.Array(
      Type.Object({
        bracketGuid: Guid,
        flowGuid: OptionalFlow,
        rounds: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: Reference,
          description: 'By `section:round`.',
          examples: [{ 'upper:1': 'accsaber-bo3' }],
        }),
      }),
    ),
    matches: Type.Array(Type.Object({ matchGuid: Guid, flowGuid: Reference })),
  },
  { title: 'FlowPlan' },
)

export function planView({ revision, default: fallback, brackets, matches }: FlowPlan): Static<typeof PlanView> {
  return {
    revision,
    default: fallback,
    brackets: brackets.map(({ rounds, ...bracket }) => ({ ...bracket, rounds: { ...rounds } })),
    matches: matches.map((match) => ({ ...match })),
  }
}
