/** What the reference says beside what the records, the packets and the limits say of themselves. */

/** What a client does after a close, by the hundreds of the code. (RT31) */
export const conducts: readonly { readonly from: number; readonly name: string; readonly words: string }[] = [
  {
    from: 4000,
    name: 'Come back',
    words:
      'Wait for a random time of up to half a second, twice as long after each further failure and at most 30 seconds; connect again, and resume each topic where you stood. So after a connection that broke without a code, too.',
  },
  {
    from: 4100,
    name: 'Come back with something new',
    words: 'Get a new token or ticket first, then connect and resume. Without one, go on with what is public.',
  },
  {
    from: 4200,
    name: 'Change something first',
    words: 'The same again would end the same way: correct the program, or send less.',
  },
]

/** Why a topic is not followed any more. */
export const endings: Readonly<Record<string, string>> = {
  unsubscribed: 'You asked for it.',
  gone: 'It is deleted, or not visible to you any more.',
  forbidden: 'You still see it, and may not follow it any more.',
  invalid: 'Its query names something that is not there any more; or you sent a document what no editor of it sends.',
  too_large: 'It has grown beyond what can be followed; narrow it.',
}

/** Why facts since a position are not told. */
export const resyncs: Readonly<Record<string, string>> = {
  expired: 'They are older than what is kept.',
  too_many: 'They are more than one answer holds.',
  unknown: 'The position is none of this service.',
}

export interface ErrorWords {
  readonly code: string
  readonly status: number
  readonly words: string
}

/** Of the connection itself; commands have those of their REST operations beside these. */
export const errors: readonly ErrorWords[] = [
  { code: 'topic.unknown', status: 404, words: 'There is no such topic, or none that you may see.' },
  {
    code: 'topic.invalid',
    status: 400,
    words: 'The name, or a member of its query, is not of the form that it must have.',
  },
  { code: 'topic.subscribed', status: 409, words: 'You follow it already; send `replace: true` to begin anew.' },
  { code: 'topic.not_subscribed', status: 404, words: 'You do not follow it by this name.' },
  { code: 'topic.too_large', status: 413, words: 'It is larger than 4 MiB; narrow it by its query.' },
  { code: 'subscriptions.limit', status: 429, words: 'End a subscription first, or sign in: users have more.' },
  { code: 'topic.not_delayed', status: 400, words: 'This topic cannot be delayed; leave `delayed` out.' },
  { code: 'key.invalid', status: 400, words: 'The ephemeral topic has no such key.' },
  { code: 'keys.limit', status: 429, words: 'The ephemeral topic has as many keys as there may be.' },
  { code: 'value.invalid', status: 400, words: 'A member of the value is not of its form; the message names it.' },
  { code: 'value.too_large', status: 413, words: 'A value has at most 2 KiB.' },
  { code: 'publish.limited', status: 429, words: 'Values came too fast; those in between were dropped.' },
  { code: 'publish.too_many', status: 400, words: 'Write to fewer topics over one connection.' },
  {
    code: 'packet.unknown',
    status: 404,
    words: 'There is no packet of this type; see above for those that there are.',
  },
  { code: 'packet.invalid', status: 400, words: 'A member is missing, or not of its form; the message names it.' },
  {
    code: 'packets.limited',
    status: 429,
    words: 'Slow down: after three of these in ten seconds the connection closes.',
  },
  { code: 'command.unknown', status: 404, words: 'It is not among the commands above; use REST.' },
  {
    code: 'command.topics_only',
    status: 403,
    words: 'The connection was opened with a ticket for some topics; send commands over one that was not.',
  },
  { code: 'command.if_match', status: 400, words: 'The command takes no `ifMatch`; leave it out.' },
  {
    code: 'command.key_invalid',
    status: 400,
    words: 'A key has 1 to 64 letters, digits, dots, underscores or hyphens.',
  },
  {
    code: 'command.key_reused',
    status: 409,
    words: 'You used the key for something else; choose a new one for each command.',
  },
  { code: 'commands.limit', status: 429, words: 'Send the next command when one of those that wait is answered.' },
  { code: 'connection.authenticated', status: 409, words: 'The connection is another user’s; open one of your own.' },
  { code: 'token.missing', status: 401, words: 'This needs a token.' },
  { code: 'token.invalid', status: 401, words: 'The token has expired or was revoked; get a new one.' },
  { code: 'scope.missing', status: 401, words: 'The token lacks `ws:write`.' },
  { code: 'token.scope_missing', status: 401, words: 'The token lacks `ws:read`.' },
  {
    code: 'ticket.invalid',
    status: 401,
    words: 'The ticket was used, has expired, or is for other topics; get a new one.',
  },
  { code: 'streams.limit', status: 429, words: 'Close one of your streams first.' },
  {
    code: 'wait.invalid',
    status: 400,
    words: '`wait` is a whole number of seconds from 0 to 60, and for lines of JSON alone.',
  },
  { code: 'service.unavailable', status: 503, words: 'Try again after `retryAfterMs`, or `Retry-After` of a stream.' },
  { code: 'service.failed', status: 500, words: 'Something went wrong on our side; tell us what you did.' },
]
