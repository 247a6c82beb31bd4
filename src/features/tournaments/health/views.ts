import { type Static, Type } from 'typebox'
import { Guid, oneOf } from '../../../core/schema.ts'
import { type Finding, type FindingCode, findingCodes, severities, subjectKinds } from './types.ts'

const codes = Object.keys(findingCodes) as FindingCode[]
const actions = [...new Set(codes.map((code) => findingCodes[code].action))]

/** Something that an organiser should look at. */
export const FindingView = Type.Object(
  {
    code: oneOf(codes, { description: codes.map((code) => `- \`${code}\`: ${findingCodes[code].about}`).join('\n') }),
    severity: oneOf(severities, {
      description: '`error`: it goes wrong unless somebody acts. `warning`: it may be meant.',
    }),
    subject: Type.Object({
      kind: oneOf(subjectKinds),
      guid: Guid,
      name: Type.String({ examples: ['The Quavers'] }),
    }),
    message: Type.String({
      description: 'Says what is wrong.',
      examples: ['“The Quavers” has not answered a required field.'],
    }),
    action: oneOf(actions, {
      description:
        'The operation that helps, by its stable name; `GET /tournaments/{tournament}/access` tells whether the caller may use it.',
    }),
  },
  { title: 'TournamentFinding' },
)

export function findingView({ code, subject: { kind, guid, name }, message }: Finding): Static<typeof FindingView> {
  const { severity, action } = findingCodes[code]
  return { code, severity, subject: { kind, guid, name }, message, action }
}
