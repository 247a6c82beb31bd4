import type { Notice } from '../../../people/notifications/types.ts'
import type { EndReason, StreamSession } from '../types.ts'

const sentences: Readonly<Partial<Record<EndReason, string>>> = {
  cut: 'Staff have ended it.',
  assignment_ended: 'The time for which you were to stream is over.',
  server_disabled: 'Its server is not in use any more.',
}

/**
 * The notification to a publisher whose stream somebody else ended; null if the publisher ended it.
 * (streaming: Stream operations)
 */
export function endingNotice(
  { guid, tournamentGuid, test }: Pick<StreamSession, 'guid' | 'tournamentGuid' | 'test'>,
  reason: EndReason,
  words: string | null,
): Notice | null {
  const sentence = test && reason === 'assignment_ended' ? 'The time of the test is over.' : sentences[reason]
  if (sentence === undefined) return null
  return {
    type: 'stream.cut',
    title: 'Your stream was ended',
    body: words === null ? sentence : `${sentence} ${words}`,
    data: { streamSessionGuid: guid, ...(tournamentGuid === null ? {} : { tournamentGuid }) },
  }
}

/** The notification about a key's use from a new network. (streaming: Stream operations) */
export function newNetworkNotice(label: string, keyGuid: string): Notice {
  return {
    type: 'stream_key.new_network',
    title: 'A stream key was used from a new network',
    body: `The key “${label}” was used from a network that it was not used from before. If that was not you, revoke it.`,
    data: { streamKeyGuid: keyGuid },
  }
}
