import { refusal } from '../problems.ts'

/** Checks of the parameters of every request, before their meaning is examined. */

/** A parameter's value; an empty value counts as missing. (RFC 6749 §3.1) */
export function given(parameters: URLSearchParams, name: string): string | undefined {
  return parameters.get(name) || undefined
}

/** No parameter may occur more than once: two programs could read different values. (RFC 6749 §3.1, §3.2) */
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

/** The value of a required parameter. (RFC 6749 §5.2) */
export function checkGiven(parameters: URLSearchParams, name: string): string {
  const value = given(parameters, name)
  if (value === undefined) throw refusal('invalid_request', 'parameter.missing', `The request lacks ${name}.`)
  return value
}

const maxNameShown = 40

function shown(name: string): string {
  return /^\w+$/.test(name) ? name.slice(0, maxNameShown) : 'Each parameter'
}
