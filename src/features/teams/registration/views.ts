import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { type FailureCode, failureCodes } from './rules/failures.ts'
import { type Eligibility, type Failure, registrationStates } from './types.ts'

const codes = Object.keys(failureCodes) as FailureCode[]

const FailureView = Type.Object(
  {
    code: oneOf(codes, {
      description: codes.map((code) => `- \`${code}\`: ${failureCodes[code]}`).join('\n'),
    }),
    message: Type.String({
      description: 'Says what to fix.',
      examples: ['Quaver has to verify an e-mail address first.'],
    }),
  },
  { title: 'RegistrationFailure' },
)

/** The state of a tournament's registration in an answer. */
export const RegistrationStateView = Type.Object(
  {
    state: oneOf(registrationStates, {
      description: 'Where public registration stands; of several that hold, the first in this order.',
    }),
    opensAt: nullable(Instant),
    closesAt: nullable(Instant),
    capacity: nullable(Type.Integer({ examples: [32] }), 'Places; null where there is no limit.'),
    registered: Type.Integer({ description: 'Places taken.', examples: [17] }),
  },
  { title: 'RegistrationState' },
)

/** The failed checks of a team and its players. */
const verdict = {
  team: Type.Object({ failures: Type.Array(FailureView) }),
  players: Type.Array(Type.Object({ userGuid: Guid, failures: Type.Array(FailureView) }), {
    description: 'Every member of the team, or the caller alone where they have none.',
  }),
  requiredFields: Type.Array(Guid, { description: 'Additional fields that must be answered and are not yet.' }),
}

/** The eligibility of one team of many in an answer. */
export const VerdictView = Type.Object(
  {
    eligible: Type.Boolean({ description: 'Nothing stands in the way of the team’s place.' }),
    ...verdict,
  },
  { title: 'RegistrationVerdict' },
)

/** The eligibility of a team in an answer. (D32) */
export const EligibilityView = Type.Object(
  {
    eligible: Type.Boolean({ description: 'Nothing stands in the way of registering now.' }),
    registration: RegistrationStateView,
    ...verdict,
  },
  {
    title: 'Eligibility',
    description: 'Every check that a team passes, or does not, before it is registered.',
    examples: [
      {
        eligible: false,
        registration: {
          state: 'open',
          opensAt: '2026-05-01T18:00:00.000Z',
          closesAt: '2026-06-01T18:00:00.000Z',
          capacity: 32,
          registered: 17,
        },
        team: { failures: [{ code: 'team.too_small', message: '“The Quavers” has 1 member; at least 2 are needed.' }] },
        players: [
          {
            userGuid: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42',
            failures: [{ code: 'email.not_verified', message: 'Quaver has to verify an e-mail address first.' }],
          },
        ],
        requiredFields: [],
      },
    ],
  },
)
export type EligibilityView = Static<typeof EligibilityView>

export function eligibilityView(eligibility: Eligibility): EligibilityView {
  return { registration: registrationStateView(eligibility.registration), ...verdictView(eligibility) }
}

export function registrationStateView({
  state,
  opensAt,
  closesAt,
  capacity,
  registered,
}: Eligibility['registration']): Static<typeof RegistrationStateView> {
  return { state, opensAt: formatInstant(opensAt), closesAt: formatInstant(closesAt), capacity, registered }
}

export function verdictView({ eligible, team, players, requiredFields }: Eligibility): Static<typeof VerdictView> {
  return {
    eligible,
    team: { failures: team.failures.map(failureView) },
    players: players.map(({ userGuid, failures }) => ({ userGuid, failures: failures.map(failureView) })),
    requiredFields: [...requiredFields],
  }
}

function failureView({ code, message }: Failure): Failure {
  return { code, message }
}
