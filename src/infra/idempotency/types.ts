import type { ProblemKind } from '../../core/problem.ts'

/** One sending of a command, by a key that its sender chose. */
export interface Sending {
  readonly userGuid: string
  readonly key: string
  /** SHA-256 of what is asked for: the operation, and all that it reads of the request. */
  readonly digest: Buffer
}

/** What the command came to. */
export type Kept = KeptResult | { readonly problem: KeptProblem }

export interface KeptResult {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

export interface KeptProblem {
  readonly kind: ProblemKind
  readonly code: string
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}
