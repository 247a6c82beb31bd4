import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../core/schema.ts'
import { formatInstant } from '../../core/time.ts'
import { type FailureCode, failureCodes } from './failures.ts'
import { type Eligibility, type Failure, registrationStates } from './types.ts'

const codes = Object.keys(failureCodes) as FailureCode[]

const FailureView = Type.Object({
  code: oneOf(codes, {
    description: codes.map((code) => `- \`${code}\`: ${failureCodes[code]}`).join('\n'),
  }),
  message: Type.String({
    description: 'Says what to fix.',
    examples: ['Quaver has to verify an e-mail address first.'],
  }),
})

/** (D32) */
export const EligibilityView = Type.Object(
  {
    eligible: Type.Boolean({ description: 'Registering now, without further answers, would succeed.' }),
    registration: Type.Object({
      state: oneOf(registrationStates, {
        description: 'Where public registration stands; of several that hold, the first in this order.',
      }),
      opensAt: nullable(Instant),
      closesAt: nullable(Instant),
      capacity: nullable(Type.Integer({ examples: [32] }), 'Places; null where there is no limit.'),
      registered: Type.Integer({ description: 'Places taken.', examples: [17] }),
    }),
    team: Type.Object({ failures: Type.Array(FailureView) }),
    players: Type.Array(Type.Object({ userGuid: Guid, failures: Type.Array(FailureView) }), {
      description: 'Every member of the team, or the caller alone where they have none.',
    }),
    requiredFields: Type.Array(Guid, { description: 'Additional fields that must be answered and are not yet.' }),
  },
  { title: 'Eligibility', description: 'Every check that a team passes, or does not, before it is registered.' },
)
export type EligibilityView = Static<typeof EligibilityView>

export function eligibilityView({
  eligible,
  registration,
  team,
  players,
  requiredFields,
}: Eligibility): EligibilityView {
  const { state, opensAt, closesAt, capacity, registered } = registration
  return {
    eligible,
    registration: { state, opensAt: formatted(opensAt), closesAt: formatted(closesAt), capacity, registered },
    team: { failures: team.failures.map(failureView) },
    players: players.map(({ userGuid, failures }) => ({ userGuid, failures: failures.map(failureView) })),
    requiredFields: [...requiredFields],
  }
}

function failureView({ code, message }: Failure): Failure {
  return { code, message }
}

function formatted(date: Date | null): string | null {
  return date === null ? null : formatInstant(date)
}
