import { isDeepStrictEqual } from 'node:util'

const longestText = 2_000
const longestValue = 8_000

type Members = Readonly<Record<string, unknown>>

/** What differs between two states, in a size that the event log can keep: long texts are cut, long lists left out. */
export function differences(before: Members, after: Members): { readonly before: Members; readonly after: Members } {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const of = (state: Members) => Object.fromEntries(names.map((name) => [name, shortened(state[name])]))
  return { before: of(before), after: of(after) }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    const characters = Array.from(value)
    return characters.length <= longestText ? value : `${characters.slice(0, longestText - 1).join('')}…`
  }
  return JSON.stringify(value).length <= longestValue ? value : '(too long for the log)'
}
