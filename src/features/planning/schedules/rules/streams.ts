import type { Span } from '../../../../engine/availability.ts'
import type { Busy } from './times.ts'
import { isLikeAddress } from './wish.ts'

/**
 * Returns when each stream is taken by matches that have a time. A stream with an address is taken by the matches with
 * this address. For all other matches the stream is not recorded. Each of them takes the first free stream without an
 * address, so that there are never more concurrent matches than streams.
 * @param busy in the order of their times, all equally long
 */
export function busyStreams(busy: readonly Busy[], streams: readonly string[]): ReadonlyMap<string, readonly Span[]> {
  const taken = new Map<string, Span[]>(streams.map((stream) => [stream, []]))
  const nameless = streams.filter((stream) => !isLikeAddress(stream)).map((stream) => taken.get(stream) ?? [])
  for (const { match, span } of busy) {
    const spans = taken.get(match.streamUrl ?? '') ?? firstFree(nameless, span)
    spans?.push(span)
  }
  return taken
}

/** The first stream that is free at the start of the span; if there is none, the one that is free soonest. */
function firstFree(streams: readonly Span[][], { start }: Span): Span[] | undefined {
  const freeFrom = (spans: readonly Span[]) => Math.max(-Infinity, ...spans.map(({ end }) => end))
  const soonest = streams.toSorted((a, b) => freeFrom(a) - freeFrom(b))[0]
  return streams.find((spans) => freeFrom(spans) <= start) ?? soonest
}
