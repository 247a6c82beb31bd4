import { type Html, html } from '../../../core/html.ts'
import { outgoing, protocol } from '../doors/packets.ts'
import type { RealtimeApi } from './asyncapi.ts'
import { commandsIn, documentsIn, ephemeralIn, topicsIn } from './catalogue.ts'
import { incomingTypes, outgoingTypes, wireTypeOf } from './packet-words.ts'
import {
  closing,
  commandList,
  documentList,
  ephemeralList,
  errorList,
  limits,
  packetList,
  topicList,
} from './reference-lists.ts'
import { block, code, members, prose, terms } from './reference-parts.ts'
import { endings, resyncs } from './reference-words.ts'

/** The reference for people: the same records and packets that the description is made of, in sections. */

export interface Section {
  /** Of its heading, for links. */
  readonly id: string
  readonly title: string
  readonly content: Html
  /** Headings inside it that the table of contents lists. */
  readonly parts?: readonly { readonly id: string; readonly title: string }[]
}

export function sectionsOf(api: RealtimeApi): Section[] {
  return [
    connecting(api),
    holding(),
    { id: 'topics', title: 'Topics', content: topicList(topicsIn(api.operations)) },
    {
      id: 'ephemeral',
      title: 'Ephemeral topics',
      content: ephemeralList(ephemeralIn(api.ephemeral, api.operations)),
    },
    { id: 'documents', title: 'Documents', content: documentList(documentsIn(api.documents)) },
    facts(),
    { id: 'commands', title: 'Commands', content: commandList(commandsIn(api.operations)) },
    packets('sent', 'Packets that you send', incomingTypes),
    packets('received', 'Packets that you get', outgoingTypes),
    { id: 'limits', title: 'Limits', content: limits() },
    { id: 'closing', title: 'When it closes', content: closing() },
    { id: 'errors', title: 'Errors', content: errorList() },
  ]
}

function packets(id: string, title: string, types: Parameters<typeof packetList>[0]): Section {
  return {
    id,
    title,
    content: packetList(types),
    parts: types.map((type) => ({ id: `packet-${type}`, title: wireTypeOf(type) })),
  }
}

const topic = '/tournaments/spring-cup/matches'

function connecting({ publicUrl, socketUrl }: RealtimeApi): Section {
  return {
    id: 'connect',
    title: 'Connect',
    parts: [
      { id: 'connect-curl', title: 'With curl' },
      { id: 'connect-browser', title: 'With EventSource' },
      { id: 'connect-socket', title: 'With a WebSocket' },
      { id: 'connect-token', title: 'With a token' },
    ],
    content: html`
<p>Choose by what you need: lines of JSON for scripts, server-sent events for pages that only read, a WebSocket for everything, commands included. All three send the same <a href="#received">packets</a>.</p>
<h3 id="connect-curl">With curl</h3>
${block(`curl --no-buffer "${publicUrl}/api/events?topic=${topic}"`)}
<p>The first line holds what <code>GET /api${topic}</code> answers, and each line after it a change. The stream stays open; an empty line now and then says that it lives. Any tournament of <code>GET /api/tournaments</code> will do. Repeat <code>topic</code> to follow up to 20 at once.</p>
${block(`{"type":"snapshot","topic":"/tourn…","position":"Jm1n…","etag":"…","body":{…},"since":"Jm1n…"}
{"type":"event","topic":"/tourn…","after":"Jm1n…","position":"p9Zq…","etag":"…","at":"…",
 "patch":[{"op":"replace","path":"/matches/0/status","value":"running"}],"since":"p9Zq…"}`)}
<p>To ask again and again instead, give <code>wait</code>: the answer comes as soon as there is something, or after so many seconds. Each answer’s last <code>since</code> goes into the next question.</p>
${block(`curl "${publicUrl}/api/events?topic=${topic}&wait=30&since=p9Zq…"`)}
<h3 id="connect-browser">With EventSource</h3>
${block(`const events = new EventSource('${publicUrl}/api/events?topic=${topic}')
let held
const read = (what, use) => events.addEventListener(what, ({ data }) => use(JSON.parse(data)))
read('snapshot', ({ body }) => (held = body))
read('event', ({ patch }) => (held = applyPatch(held, patch).newDocument))`)}
<p><code>applyPatch</code> is that of <code>fast-json-patch</code>; any library for RFC 6902 does. The browser connects again by itself and goes on where it stood.</p>
<h3 id="connect-socket">With a WebSocket</h3>
${block(`const socket = new WebSocket('${socketUrl}', '${protocol}')
const send = (packet) => socket.send(JSON.stringify(packet))
socket.onopen = () => send({ type: 'subscribe', id: 1, topic: '${topic}' })
socket.onmessage = ({ data }) => console.log(JSON.parse(data))
socket.onclose = ({ code }) => console.log('closed', code)`)}
<p>Each message is one JSON object, as text. Answers have the <code>id</code> of what they answer. Members that you do not know may come at any time: ignore them.</p>
<h3 id="connect-token">With a token</h3>
<p>What is public needs none. Everything else needs an access token with the scope <code>ws:read</code>, and commands <code>ws:write</code>, which includes it. There are three ways:</p>
<ul>
<li>the header <code>Authorization: Bearer …</code>, on the WebSocket’s handshake or on the stream;</li>
<li>the packet <a href="#packet-authenticate"><code>authenticate</code></a>, once the socket is open;</li>
<li><code>?ticket=…</code> in the address, where a header cannot be set. A ticket comes from <code>POST /realtime/tickets</code>, and is good once and for half a minute. One that names topics follows these alone, and takes no commands.</li>
</ul>
<p>What broadcasts show of a tournament is followed by the view token of an overlay, as <code>viewToken</code> of the packet or in the header. It has no user: nothing but topics of that overlay can be followed with it, with the limits of those without a token and 20 sockets per token. The connection closes with 4103 when it is revoked or expires.</p>
<p>Never put a token into the address: the connection closes, with 4102. Cookies are not read.</p>
`,
  }
}

function holding(): Section {
  return {
    id: 'hold',
    title: 'Hold a topic',
    parts: [
      { id: 'resume', title: 'Resume' },
      { id: 'delay', title: 'Stream delay' },
    ],
    content: html`
<p>A topic’s name is the address of a read without <code>/api</code>. You hold a copy of what that read answers:</p>
<ol>
<li>A <code>snapshot</code> replaces your copy with its <code>body</code>.</li>
<li>An <code>event</code> changes it by a JSON Patch (RFC 6902: <code>add</code>, <code>remove</code> and <code>replace</code> alone).</li>
<li>After each, your copy equals what a GET of yours answers, and <code>etag</code> is the ETag that it has.</li>
</ol>
<p>Every packet has a <code>position</code>, and an <code>event</code> also <code>after</code>: the position of the packet before it. If <code>after</code> is not where you stand, you have missed something: subscribe again. Positions are opaque. Compare them for equality; they have no order, and nothing can be counted by them.</p>
<p>What a packet tells is stored for good: no GET, whoever asks, shows an older state after it. Several changes may come as one packet, which holds the newest state. What changes nothing for you is not sent.</p>
<h3 id="resume">Resume</h3>
<p>When the connection breaks, keep your copy. On the next one, <code>subscribe</code> with <code>since</code>, your last position, and <code>etag</code>, that of your copy. The answer is <code>resumed</code>, and what you missed follows it; or it is a <code>snapshot</code>, which replaces your copy. Either way you are up to date, on whichever server you have come to.</p>
<p>In a stream, <code>since</code> stands on the last packet of a change (server-sent events: <code>id</code>) and covers all topics of the stream. Ask with it as <code>since</code>, or as the header <code>Last-Event-ID</code>. If the stream broke in the middle of a change, that change is sent again from its beginning: use its packets once <code>since</code> has come.</p>
<p>A topic may end. The packet <code>ended</code> says why:</p>
${terms(Object.entries(endings).map(([reason, words]) => [code(reason), prose(words)]))}
<h3 id="delay">Stream delay</h3>
<p>A stream is often behind the matches that it shows: by <code>delaySeconds</code> of the channel that has a match in its queue, and for everything else by the longest of these and <code>streamDelaySeconds</code> of the tournament. So that a page beside it does not give results away, subscribe with <code>delayed: true</code> (streams and GET: <code>delayed=true</code>): you get what everybody could see when the stream was there, a second or two later than that at most, with facts and live scores as late. The <code>snapshot</code> says in <code>delayedBy</code> how many seconds these are. It is a topic of its own, with <code>delayed=1</code> behind its name. Where the delay begins or grows, it stands still until the new delay has passed; it never goes back. What is hidden or deleted now is gone at once.</p>`,
  }
}

function facts(): Section {
  return {
    id: 'facts',
    title: 'Facts',
    content: html`
<p>A copy says what is. Facts say what happened: who follows with <code>facts: true</code> (streams: <code>facts=true</code>) gets them with the packet that shows what they changed, one by one, each once. Use <code>id</code> to drop one that comes twice after a break.</p>
<p>Each topic lists the types that everybody is told who may follow it. The staff of a tournament are told of everything that touches the record, and by whom. What was hidden when it happened is never told later.</p>
${members(outgoing.event.properties.facts.items)}
<p>After a break, facts since your position come too. Where they cannot, the <code>snapshot</code> has <code>resync</code>, with a <code>reason</code>:</p>
${terms(Object.entries(resyncs).map(([reason, words]) => [code(reason), prose(words)]))}`,
  }
}
