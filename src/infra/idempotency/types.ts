import type { ProblemKind } from '../../core/problem.ts'

/** One command and the key that its sender chose. */
export interface Sending {
  readonly userGuid: string
  readonly key: string
  /** SHA-256 of the operation and of everything that it reads of the request. */
  readonly digest: Buffer
}

/** The saved outcome of a command. */
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
