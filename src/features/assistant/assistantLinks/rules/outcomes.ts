import { oneLine } from '../../../../core/text.ts'
import type { AssistantFailure, FailureCode } from '../../../../infra/clients/assistant/request.ts'

/** The outcome of connecting by a link, in words for its managers. */

export type Outcome =
  | { readonly ok: true; readonly serverVersion: number; readonly permissions: readonly string[] }
  | { readonly ok: false; readonly code: string; readonly message: string }

/** The maximum length of an assistant's text that is shown, in characters. (assistant: Failures) */
export const maxTextCharacters = 200

/** An assistant's text as plain text on one line, cut to the maximum length. (assistant: Failures) */
export function shownText(text: string): string {
  const line = oneLine(text).trim()
  return [...line].length > maxTextCharacters ? `${[...line].slice(0, maxTextCharacters - 1).join('')}…` : line
}

const words: Readonly<Record<FailureCode, (failure: AssistantFailure) => string>> = {
  'assistant.version': ({ details: { serverVersion = 0, clientVersion = 0 } }) =>
    `The assistant has version ${serverVersion} and refused ${clientVersion}; set versionCode, or have it updated.`,
  'assistant.unauthorised': () =>
    'The assistant refused the token; check that it trusts this service, or give it anew.',
  'assistant.password': () => 'The assistant refused the password of the tournament; give it anew.',
  'assistant.tournament_unknown': ({ details: { tournaments = [] } }) =>
    tournaments.length === 0
      ? 'The assistant told of no tournament; check what the token may see.'
      : `The assistant does not tell of this tournament, but of ${tournaments.join(', ')}.`,
  'assistant.permission': ({ details: { permission = '' } }) =>
    `The assistant does not give us the permission ${permission}; have it granted there.`,
  'assistant.timeout': () => 'The assistant did not answer in time; try again.',
  'assistant.unreachable': () => 'The assistant cannot be reached; check host, port and certificate.',
  'assistant.protocol': () => 'What answers there is no assistant; check host and port.',
}

/**
 * Describes a failure. The text says what to do, and contains neither a secret nor an inner address. (assistant:
 * Failures)
 */
export function outcomeOf(failure: AssistantFailure): Outcome & { readonly ok: false } {
  return { ok: false, code: failure.code, message: shownText(words[failure.code](failure)) }
}
