import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Address, ApiError, type Sent, type WritePath, write } from './api.ts'
import type { Writes } from './generated.ts'
import { showAnswer } from './told.ts'

/** Changes by the API. What it answers is put into the cache, so that nothing is read again to show it. (W7) */

/** What is known of the API's answers, for what a change does to it. */
export interface Known {
  /** The answer of this address from now on. */
  put<Body>(address: Address<Body>, body: Body): void
  /** Changes the answer of this address, where it is known. */
  change<Body>(address: Address<Body>, change: (body: Body) => Body): void
  /** Reads what begins with this path again, where a page shows it. */
  renew(path: string): void
}

export interface Writing<At extends WritePath> {
  /** Sends the request; resolves to true when it was carried out. A refusal is in `error`. */
  readonly send: (sent: Sent<At>) => Promise<boolean>
  /** As `send`; resolves to what went wrong, or to null. */
  readonly attempt: (sent: Sent<At>) => Promise<Error | null>
  readonly isSending: boolean
  readonly isDone: boolean
  /** Why the last one failed; also while another one is on its way, so that its message does not come and go. (W17) */
  readonly error: Error | null
  /** Sends the last one again. */
  readonly again: () => void
  readonly reset: () => void
}

export function useWrite<At extends WritePath>(
  at: At,
  then: (known: Known, reply: Writes[At]['reply'], sent: Sent<At>) => void = () => {},
): Writing<At> {
  const cache = useQueryClient()
  const keyOf = useKeys()
  const known: Known = {
    put: (address, body) => showAnswer(cache, address, body),
    change: (address, change) =>
      cache.setQueryData([address], (body: Parameters<typeof change>[0] | undefined) =>
        body === undefined ? undefined : change(body),
      ),
    renew: (path) =>
      void cache.invalidateQueries({ predicate: ({ queryKey: [address] }) => String(address).startsWith(path) }),
  }
  const failed = useRef<Error | null>(null)
  const { mutateAsync, isPending, isSuccess, error, reset, variables } = useMutation({
    mutationFn: (sent: Sent<At>) => write(at, sent, keyOf(sent)),
    onSuccess: (reply, sent) => then(known, reply, sent),
    onSettled: (_reply, failure) => {
      if (failure === null || failure instanceof ApiError) keyOf.renew()
    },
  })
  const attempt = (sent: Sent<At>) =>
    mutateAsync(sent).then(
      () => null,
      (failure: Error) => failure,
    )
  const send = (sent: Sent<At>) => attempt(sent).then((failure) => failure === null)
  if (!isPending) failed.current = error
  return {
    send,
    attempt,
    isSending: isPending,
    isDone: isSuccess,
    error: failed.current,
    again: () => void (variables !== undefined && attempt(variables)),
    reset,
  }
}

/** One key for a request and its repetitions, until the service has answered. */
function useKeys() {
  const last = useRef<{ readonly text: string; readonly key: string } | null>(null)
  const keyOf = (sent: unknown): string => {
    const text = JSON.stringify(sent)
    if (last.current?.text !== text) last.current = { text, key: crypto.randomUUID() }
    return last.current.key
  }
  return Object.assign(keyOf, {
    renew: () => {
      last.current = null
    },
  })
}

/** What became of each request of several, by their names; absent while its turn has not come. */
export type Outcomes = ReadonlyMap<string, 'sending' | 'done' | Error>

export interface WritingEach<At extends WritePath> {
  /** Sends them one after the other, but those that are done; resolves to true when all of them are. */
  readonly send: (requests: ReadonlyMap<string, Sent<At>>) => Promise<boolean>
  readonly outcomes: Outcomes
}

/** The same change of several records. A refusal does not keep the others; without a connection the rest waits. */
export function useWriteEach<At extends WritePath>(at: At): WritingEach<At> {
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  // By what is sent: after an answer that did not arrive, another request may not come under the key of the first.
  const keys = useRef(new Map<string, string>())
  const send = async (requests: ReadonlyMap<string, Sent<At>>): Promise<boolean> => {
    const known = new Map(outcomes)
    const note = (name: string, outcome: 'sending' | 'done' | Error) => setOutcomes(new Map(known.set(name, outcome)))
    for (const [name, sent] of requests) {
      if (known.get(name) === 'done') continue
      const text = JSON.stringify(sent)
      const key = keys.current.get(text) ?? crypto.randomUUID()
      keys.current.set(text, key)
      note(name, 'sending')
      try {
        await write(at, sent, key)
        note(name, 'done')
      } catch (error) {
        note(name, error as Error)
        if (!(error instanceof ApiError)) return false
        keys.current.delete(text)
      }
    }
    return [...requests.keys()].every((name) => known.get(name) === 'done')
  }
  return { send, outcomes }
}
