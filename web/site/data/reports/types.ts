import type { Writes } from '../generated.ts'

/** Reports of games that wait to be sent. Nothing of them is secret: it is what the pages show once it is sent. (W12) */

export type ReportPath =
  | 'PUT /tournaments/{tournament}/matches/{match}/games/{number}'
  | 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/scores'
  | 'PATCH /tournaments/{tournament}/flow-sessions/{flowSession}/scores/{score}'

/** A request, as the API takes it. */
export type ReportRequest = {
  readonly [At in ReportPath]: {
    readonly at: At
    readonly params: Readonly<Record<string, string>>
    readonly body: NonNullable<Writes[At]['body']>
  }
}[ReportPath]

export type Completion = 'passed' | 'failed' | 'quit' | 'absent'

export interface Values {
  readonly score: number | null
  readonly accuracy?: number | null
  readonly misses?: number | null
  readonly completion?: Completion
}

/** What is reported of a side, or of a player. */
export interface Line {
  /** The number of the side, `seat:` with the number of a seat without a team, or the GUID of a user. */
  readonly who: string
  readonly name: string
  readonly values: Values
}

/** What is reported, before it is kept. */
export interface NewReport {
  readonly request: ReportRequest
  /** Short id of the tournament, and GUID of the match, for its page. */
  readonly tournament: string
  readonly match: string
  /** The match in words. */
  readonly of: string
  readonly game: number
  /** Of a session. */
  readonly chain?: number
  readonly run?: number
  readonly lines: readonly Line[]
  /** A player without a score was absent. */
  readonly isComplete?: boolean
}

/** Why the service has refused a report. It is sent again only when the reader says so. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  /** What the service has in place of each line; null where it has nothing. */
  readonly theirs: readonly (Theirs | null)[]
  /** Of the match, as the service has it. */
  readonly revision: number | null
  /** Of the session, as the service has it. */
  readonly position: number | null
  /** The match is over: what it has is changed by a correction alone. */
  readonly isOver: boolean
}

export interface Theirs {
  readonly values: Values
  /** GUID of a score of a session. */
  readonly score: string | null
}

export interface Report extends NewReport {
  /** Its place in the queue. */
  readonly order: number
  /** Makes a repetition count once; another one only after the service has refused the request. (RT25) */
  readonly key: string
  /** GUID of the account that it is sent by. */
  readonly user: string
  /** In milliseconds since 1970, by this machine's clock. */
  readonly madeAt: number
  /** How often no answer has come. */
  readonly tries: number
  /** When it is sent again, by this machine's clock. */
  readonly notBefore: number
  readonly refusal: Refusal | null
}
