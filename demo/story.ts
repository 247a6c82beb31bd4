import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Answer, bodyOf } from './client.ts'

/** Prints the steps of the demo, one line each, and keeps the responses of the service. */

export interface Step {
  readonly what: string
  readonly expected: number
  readonly actual: number
  /** The stable code of a refusal. */
  readonly problem: string | null
}

export interface Story {
  readonly steps: readonly Step[]
  chapter(title: string): void
  tell(line: string): void
  /**
   * A step that must succeed; returns the body.
   * @throws Error when it does not
   */
  succeed<S extends TSchema>(what: string, expected: number, answer: Answer, schema: S): Static<S>
  /** A step that must be refused with this status. A wrong status is printed and recorded, and the story goes on. */
  refuse(what: string, expected: number, answer: Answer): void
}

const Failures = Type.Array(Type.Object({ code: Type.String(), message: Type.String() }))
/** The body of a refused registration. */
const Refusal = Type.Object({
  message: Type.String(),
  eligibility: Type.Object({
    team: Type.Object({ failures: Failures }),
    players: Type.Array(Type.Object({ failures: Failures })),
  }),
})
const refusalShape = Compile(Refusal)
/** Refusals with the state of a record in addition to their reason. */
const explained = Compile(Type.Object({ message: Type.String() }))

export function createStory(say: (line: string) => void): Story {
  const steps: Step[] = []

  function remember(what: string, expected: number, { status, headers }: Answer): void {
    steps.push({ what, expected, actual: status, problem: headers.get('problem-code') })
  }

  return {
    steps,
    chapter: (title) => say(`\n${title}`),
    tell: (line) => say(line === '' ? '' : `       ${line}`),
    succeed(what, expected, answer, schema) {
      remember(what, expected, answer)
      const body = bodyOf(answer, expected, schema)
      say(`  ${answer.status}  ${what}`)
      return body
    },
    refuse(what, expected, answer) {
      remember(what, expected, answer)
      const verdict = answer.status === expected ? 'refused' : `NOT AS EXPECTED, which is ${expected}`
      say(`  ${answer.status}  ${what}: ${verdict}`)
      for (const line of reasonsOf(answer)) say(`       ${line}`)
    },
  }
}

function reasonsOf({ headers, json, text }: Answer): string[] {
  const code = headers.get('problem-code')
  if (!refusalShape.Check(json)) return [`${code}: ${explained.Check(json) ? json.message : text}`]
  const { team, players } = json.eligibility
  const failures = [...team.failures, ...players.flatMap((player) => player.failures)]
  return [`${code}: ${json.message}`, ...failures.map((failure) => `- ${failure.code}: ${failure.message}`)]
}
