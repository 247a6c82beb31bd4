import { Type } from 'typebox'
import { anyone } from '../src/core/actor.ts'
import { Answer, command, type Operation, query } from '../src/core/operation.ts'
import { nullable } from '../src/core/schema.ts'
import { channelPage } from './channel-page.ts'
import { type Channels, describeMessage, type Message, type Refusal } from './channels.ts'
import { readWords } from './messages.ts'
import { checkOrigin, originProblems, origins } from './origin.ts'

/** The webhooks of the stand-in, in the formats of the chat platform, and a page with the received messages. */

const base = '/auth/stand-in'
const webhookPath = `${base}/webhooks/:id/:token` as const
const messagePath = `${webhookPath}/messages/:message` as const

const MessageAnswer = Type.Record(Type.String(), Type.Unknown())
const ApiError = Type.Object({
  message: Type.String(),
  code: Type.Integer(),
  errors: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const errors = { 400: ApiError, 401: ApiError, 404: ApiError }
const Draft = Type.Unknown({ description: '`content`, `embeds` or both.' })

function isRefusal(result: Message | Refusal): result is Refusal {
  return 'status' in result
}

function refused({ status, body }: Refusal): Answer {
  return new Answer(status, { body })
}

export function channelOperations(channels: Channels): readonly Operation[] {
  const send = command({
    name: 'standIn.sendMessage',
    method: 'POST',
    path: webhookPath,
    scope: 'public',
    allow: anyone,
    summary: 'Send a message through a webhook.',
    headers: origins,
    query: Type.Object({ wait: Type.Optional(Type.Boolean({ description: 'Answer with the message.' })) }),
    body: Draft,
    reply: { 200: MessageAnswer, 204: nullable(Type.String()), ...errors },
    problems: originProblems,
    run: ({ services, headers, id, token, query: { wait = false }, body, now }) => {
      checkOrigin(headers, services)
      const words = readWords(body)
      if ('status' in words) return refused(words)
      const sent = channels.send({ id, token }, words, now)
      if (isRefusal(sent)) return refused(sent)
      return wait ? describeMessage(sent, id) : new Answer(204)
    },
  })

  const edit = command({
    name: 'standIn.editMessage',
    method: 'PATCH',
    path: messagePath,
    scope: 'public',
    allow: anyone,
    summary: 'Change what a message says.',
    headers: origins,
    body: Draft,
    reply: { 200: MessageAnswer, ...errors },
    problems: originProblems,
    run: ({ services, headers, id, token, message, body, now }) => {
      checkOrigin(headers, services)
      const edited = channels.edit({ id, token }, message, (words) => readWords(body, words), now)
      return isRefusal(edited) ? refused(edited) : describeMessage(edited, id)
    },
  })

  const remove = command({
    name: 'standIn.removeMessage',
    method: 'DELETE',
    path: messagePath,
    scope: 'public',
    allow: anyone,
    summary: 'Remove a message.',
    headers: origins,
    reply: { 204: nullable(Type.String()), ...errors },
    problems: originProblems,
    run: ({ services, headers, id, token, message }) => {
      checkOrigin(headers, services)
      const fault = channels.remove({ id, token }, message)
      return fault === null ? new Answer(204) : refused(fault)
    },
  })

  const page = query({
    name: 'standIn.channel',
    method: 'GET',
    path: `${base}/channels/:id`,
    scope: 'public',
    allow: anyone,
    summary: 'What stands in a channel.',
    reply: { 200: Type.String() },
    contentType: 'text/html',
    run: ({ id, services: { config } }) => channelPage(channels.read(id), config.media.url),
  })

  return [send, edit, remove, page]
}
