import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Address, ApiError, type Sent, type WritePath, write } from './api.ts'
import type { Writes } from './generated.ts'

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
  readonly error: Error | null
  readonly reset: () => void
}

export function useWrite<At extends WritePath>(
  at: At,
  then: (known: Known, reply: Writes[At]['reply'], sent: Sent<At>) => void = () => {},
): Writing<At> {
  const cache = useQueryClient()
  const keyOf = useKeys()
  const known: Known = {
    put: (address, body) => cache.setQueryData([address], body),
    change: (address, change) =>
      cache.setQueryData([address], (body: Parameters<typeof change>[0] | undefined) =>
        body === undefined ? undefined : change(body),
      ),
    renew: (path) =>
      void cache.invalidateQueries({ predicate: ({ queryKey: [address] }) => String(address).startsWith(path) }),
  }
  const { mutateAsync, isPending, isSuccess, error, reset } = useMutation({
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
  return { send, attempt, isSending: isPending, isDone: isSuccess, error, reset }
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
