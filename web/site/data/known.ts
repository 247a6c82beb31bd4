import { skipToken, useQueries } from '@tanstack/react-query'
import type { Address } from './api.ts'

/** What is known of answers that other parts of a page read, in the order of the addresses. */
export function useKnown<Body>(addresses: readonly Address<Body>[]): readonly (Body | undefined)[] {
  return useQueries({
    queries: addresses.map((address) => ({ queryKey: [address], queryFn: skipToken })),
    combine: bodiesOf,
  }) as readonly (Body | undefined)[]
}

// One function for all calls, so that what has not changed is not computed again.
const bodiesOf = (results: readonly { readonly data: unknown }[]) => results.map(({ data }) => data)
