/** Why a connection closes, and what its client must do then. (RT31) */

const reasons = {
  // The client reconnects and resumes.
  4000: 'The service restarts; connect again.',
  4001: 'The service has lost sight of what happens; connect again.',
  4007: 'Nothing was asked for; connect when there is something to follow.',
  4009: 'Nothing was heard for a minute; connect again.',
  4010: 'What was sent was not taken fast enough; connect again.',
  // The client reconnects with another token, or without one.
  4100: 'The token has expired; get a new one.',
  4101: 'The token, or the connection, was revoked; get a new one.',
  4102: 'The ticket is not valid, or a token stands in the address; get a new ticket.',
  4103: 'The view token was revoked or has expired.',
  // The client must not reconnect without a change.
  4200: 'A message was not a JSON object.',
  4201: 'Messages must be text.',
  4202: 'A message was too large.',
  4203: 'The subprotocol downbeat.v1 was not offered.',
  4204: 'There are too many connections.',
  4205: 'Messages came too fast.',
  4206: 'The account is banned.',
  4207: 'Updates of a document were sent again and again that no editor makes.',
} as const

export type CloseCode = keyof typeof reasons

/** Whether the connection's credential no longer counts. */
export function endsRights(code: CloseCode): boolean {
  return (code >= 4100 && code < 4200) || code === 4206
}

export function reasonOf(code: CloseCode): string {
  return reasons[code]
}

export const closeCodes = Object.keys(reasons).map(Number) as readonly CloseCode[]
