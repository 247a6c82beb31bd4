import { signedIn } from '../../core/actor.ts'
import { isForPrograms, type Operation, parametersOf, takesKey, tournamentPath } from '../../core/operation.ts'
import type { Problem, ProblemKind } from '../../core/problem.ts'
import { isPossibleInRehearsals } from '../../core/rehearsals.ts'
import type { Parameters } from './admission.ts'
import { mayHaveAlike } from './misspelt-members.ts'
import { statusOf, statusOfCode } from './statuses.ts'
import { isForOutsiders } from './trial.ts'
import { conditionsInBody } from './validate.ts'

/**
 * The problems that an operation may answer, derived from its record: for the documentation, and to find undeclared
 * ones.
 */

type Codes = Readonly<Record<string, ProblemKind>>

/** Statuses with the codes behind each, in ascending order. */
export type Problems = ReadonlyMap<number, ReadonlySet<string>>

/** Problems that any request may be answered with, mostly before its operation is known. */
export const problemsOfAnyRequest: Codes = {
  'request.malformed': 'invalid',
  'route.unknown': 'missing',
  'request.timeout': 'timeout',
  'request.headers_too_large': 'headers_too_large',
  'request.expectation': 'unmet_expectation',
}

/** Every problem that the operation may answer: its own, and those of the kernel before its handler. */
export function problemsOf(operation: Operation, parameters: Parameters): Problems {
  const found = new Map<number, Set<string>>()
  const add = (status: number, code: string) => {
    found.set(status, (found.get(status) ?? new Set()).add(code))
  }
  for (const [code, status] of Object.entries(operation.problems ?? {})) add(status, code)
  for (const [code, kind] of Object.entries(kernelProblems(operation, parameters))) {
    add(statusOfCode(code, kind, operation), code)
  }
  if (operation.missingTokenOfMe) add(operation.missingTokenOfMe, 'token.missing')
  add(500, 'service.failed')
  return new Map([...found].sort(([a], [b]) => a - b))
}

function kernelProblems(operation: Operation, parameters: Parameters): Codes {
  return {
    'request.limited': 'limited',
    'service.unavailable': 'unavailable',
    ...admissionProblems(operation),
    ...addressProblems(operation, parameters),
    ...(mayMeetRehearsals(operation) ? rehearsalProblems : {}),
    ...(isForOutsiders(operation, parameters) ? heldProblems : {}),
    ...inputProblems(operation),
    ...(takesKey(operation) ? keyProblems : {}),
    ...(operation.kind === 'command' && operation.returnsSecret ? secretProblems : {}),
  }
}

const heldProblems: Codes = { 'spoiler.held': 'conflict' }

const rehearsalProblems: Codes = { 'rehearsal.not_possible': 'conflict' }

/** Whether it may be refused because its tournament is a rehearsal. */
function mayMeetRehearsals(operation: Operation): boolean {
  return `${operation.path}/`.startsWith(`${tournamentPath}/`) && !isPossibleInRehearsals(operation)
}

/** For a command that takes an idempotency key. */
const keyProblems: Codes = { 'command.key_invalid': 'invalid', 'command.key_reused': 'conflict' }
const secretProblems: Codes = { 'command.told_once': 'conflict' }

function admissionProblems({ scope, allow }: Operation): Codes {
  const role: Codes = allow.open ? {} : { 'role.missing': 'forbidden' }
  if (scope === 'public' || scope === 'browser') return role
  // A caller with a valid token is signed in, so an operation for all signed-in users never refuses for the role.
  const ofRole = allow === signedIn ? {} : role
  if (!isForPrograms(scope)) return { 'token.missing': 'unauthenticated', 'request.cross_site': 'forbidden', ...ofRole }
  return {
    'token.missing': 'unauthenticated',
    'token.invalid': 'unauthenticated',
    'scope.missing': 'unauthenticated',
    ...ofRole,
  }
}

function addressProblems({ path }: Operation, parameters: Parameters): Codes {
  const parts = parametersOf(path).map((name) => parameters[name])
  return Object.assign({}, ...parts.map((part) => (part?.resolve ? part.problems : textProblems)))
}

/** For a parameter that stays text. */
const textProblems: Codes = { 'request.invalid': 'invalid' }

function inputProblems(operation: Operation): Codes {
  const { method, query, headers } = operation
  const takesBody = operation.kind === 'command' && operation.body !== undefined
  const takesForm = operation.parameters !== undefined && method !== 'GET'
  const takesBytes = operation.kind === 'command' && operation.bodyType === 'raw'
  const takesFile = operation.kind === 'command' && (operation.bodyType === 'file' || operation.bodyType === 'text')
  return {
    ...(query || headers || takesBody ? { 'request.invalid': 'invalid' } : {}),
    ...(query?.properties.before ? { 'cursor.invalid': 'invalid' } : {}),
    ...(takesBody || takesForm || takesBytes || takesFile ? collectingProblems(operation) : {}),
    ...(refusesMembers(operation) ? { 'request.unknown_member': 'invalid' } : {}),
    ...(operation.kind === 'command' ? { 'request.dry_run_unknown': 'invalid' } : {}),
    ...(operation.kind === 'command' && conditionsInBody(query, operation.body).length > 0
      ? { 'request.condition_misplaced': 'invalid' }
      : {}),
    // The media type of an unexpected body is checked, too; that of raw bytes is not.
    ...(method === 'GET' || takesBytes ? {} : { 'request.unsupported_type': 'unsupported_type' }),
  }
}

/** Whether unknown members are refused: all of them, or only misspelt known ones. (D43, D80) */
function refusesMembers(operation: Operation): boolean {
  return operation.kind === 'command' && (operation.strict === true || mayHaveAlike(operation))
}

/** For a body that is read. */
function collectingProblems(operation: Operation): Codes {
  const { bodyType } = operation.kind === 'command' ? operation : {}
  const isUpload = bodyType === 'upload' || bodyType === 'jsonOrUpload'
  return {
    'request.malformed': 'invalid',
    ...(isUpload ? { 'media.too_large': 'too_large' } : {}),
    ...(bodyType === 'upload' ? {} : { 'request.too_large': 'too_large' }),
    'service.busy': 'unavailable',
  }
}

/** Whether the records declare a problem: an undeclared one is a defect. (docs/architecture.md) */
export function declarations(parameters: Parameters): (problem: Problem, operation: Operation) => boolean {
  const known = new WeakMap<Operation, Problems>()
  return (problem, operation) => {
    const { code } = problem
    if (code in problemsOfAnyRequest) return true
    const problems = known.get(operation) ?? problemsOf(operation, parameters)
    known.set(operation, problems)
    return problems.get(statusOf(problem, operation))?.has(code) === true
  }
}
