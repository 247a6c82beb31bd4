import { type Static, Type } from 'typebox'
import { oneOf } from '../../../../core/schema.ts'
import { failuresOfNominator, failuresOfVoter, type Person } from '../rules/eligibility.ts'
import { describeFailures } from '../rules/failures.ts'
import { type EditionRules, type Failure, failureCodes } from '../types.ts'

export const FailureView = Type.Object(
  {
    code: oneOf(failureCodes),
    message: Type.String({ examples: ['No account on a ranking platform is linked to yours and verified; link one.'] }),
  },
  { title: 'AwardFailure' },
)

const Judged = Type.Object({
  allowed: Type.Boolean(),
  failures: Type.Array(FailureView, { description: 'Every failed check, with what to do about it.' }),
})

export const EligibilityView = Type.Object({ nominate: Judged, vote: Judged }, { title: 'AwardEligibility' })

/** Whether a user may nominate and vote, with all failed checks. (A2, A3) */
export function eligibilityView(person: Person, rules: EditionRules): Static<typeof EligibilityView> {
  const judged = (failures: readonly Failure[]) => ({
    allowed: failures.length === 0,
    failures: describeFailures(failures, rules),
  })
  return { nominate: judged(failuresOfNominator(person, rules)), vote: judged(failuresOfVoter(person, rules)) }
}

/** The body of a refusal for a user who may not take part. */
export const NotEligible = Type.Object(
  { message: Type.String(), failures: Type.Optional(Type.Array(FailureView)) },
  { title: 'AwardRefusal' },
)
