import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mediaServerKinds } from '../../src/infra/clients/media-servers/kinds.ts'
import type { HookQuestion, ServerKind, Verdict } from '../../src/infra/clients/media-servers/types.ts'

/**
 * The hook format of one kind behind an HTTP address: it reads the requests of a media server, the test decides, and it
 * answers. It tests a server and its adapter without the rest of the service.
 */
export interface HookService extends AsyncDisposable {
  readonly baseUrl: string
  /** All understood requests, the oldest first. */
  readonly questions: readonly HookQuestion[]
  /** The requests with one action. */
  of<A extends HookQuestion['action']>(action: A): Extract<HookQuestion, { action: A }>[]
  /** The number of requests without the secret or in an unknown format. */
  readonly unread: number
  close(): Promise<void>
}

export interface HookServiceOptions {
  readonly kind: ServerKind
  /** GUID of the server's record. */
  readonly server: string
  readonly secret: string
  readonly judge: (question: HookQuestion) => Verdict
}

export async function startHookService({ kind, server, secret, judge }: HookServiceOptions): Promise<HookService> {
  const form = mediaServerKinds[kind].hooks
  if (form === null) throw new Error(`${kind} has no hooks`)
  const questions: HookQuestion[] = []
  let unread = 0
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { pathname, searchParams: query } = new URL(incoming.url ?? '/', 'http://service')
    const { authorization = null, 'x-ome-signature': signature } = incoming.headers
    const request = { query, authorization, signature: signature?.toString() ?? null, body: Buffer.concat(chunks) }
    const isHook = incoming.method === 'POST' && pathname === `/api/streaming/hooks/${server}`
    const question = isHook && form.proves(request, [secret]) ? form.read(request) : null
    if (question === null) unread++
    else questions.push(question)
    const answer = question === null ? form.refusal(request, 'No.') : form.answer(request, question, judge(question))
    const type = answer.contentType === undefined ? {} : { 'content-type': answer.contentType }
    outgoing.writeHead(answer.status, { ...type, ...answer.headers }).end(answer.body)
  }
  const service = createServer((incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()))
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const close = async () => {
    service.closeAllConnections()
    await new Promise((resolve) => service.close(resolve))
  }
  return {
    baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    questions,
    of: <A extends HookQuestion['action']>(action: A) =>
      questions.filter((question): question is Extract<HookQuestion, { action: A }> => question.action === action),
    get unread() {
      return unread
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
