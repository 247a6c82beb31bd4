import { refusal } from '../problems.ts'

/** What every request of the protocol is checked for before anything in it is looked at. */

/** A parameter's value; one without a value counts as left out. (RFC 6749 §3.1) */
export function given(parameters: URLSearchParams, name: string): string | undefined {
  return parameters.get(name) || undefined
}

/** No parameter may be given more than once: two readers could each take another one. (RFC 6749 §3.1, §3.2) */
export function checkGivenOnce(parameters: URLSearchParams): void {
  const seen = new Set<string>()
  for (const name of parameters.keys()) {
    if (seen.has(name)) throw refusal('invalid_request', 'parameter.repeated', `Give ${shown(name)} once only.`)
    seen.add(name)
  }
}

const maxValueLength = 8_192

/** No value may be longer than the longest token. (RFC 6749 §5.2) */
export function checkNotOverlong(parameters: URLSearchParams): void {
  for (const [name, value] of parameters) {
    if (value.length > maxValueLength) {
      throw refusal(
        'invalid_request',
        'parameter.overlong',
        `${shown(name)} may have at most ${maxValueLength} characters.`,
      )
    }
  }
}

/** What a request cannot do without must be there. (RFC 6749 §5.2) */
export function checkGiven(parameters: URLSearchParams, name: string): string {
  const value = given(parameters, name)
  if (value === undefined) throw refusal('invalid_request', 'parameter.missing', `The request lacks ${name}.`)
  return value
}

const maxNameShown = 40

function shown(name: string): string {
  return /^\w+$/.test(name) ? name.slice(0, maxNameShown) : 'Each parameter'
}
