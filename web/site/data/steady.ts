import { useRef } from 'react'

interface Attempt {
  readonly data: unknown
  readonly error: Error | null
  readonly isFetching: boolean
}

/**
 * A read that failed and is tried again still has its error until there is an answer. Without it a page that says what
 * failed would show blocks during each attempt, and lose the focus of its button. (W17)
 *
 * @param address what is read
 */
export function useSteady<Read extends Attempt>(read: Read, address: string | null): Read {
  const failed = useRef<{ readonly address: string | null; readonly error: Error } | null>(null)
  const { data, error, isFetching } = read
  if (data !== undefined) failed.current = null
  else if (error !== null) failed.current = { address, error }
  const last = failed.current
  if (last === null || last.address !== address || error !== null || !isFetching) return read
  return { ...read, error: last.error, status: 'error', isError: true, isPending: false, isLoading: false }
}
