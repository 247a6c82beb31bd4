import { type Html, html } from '../../../core/html.ts'
import { type CommandOperation, type Operation, parametersOf } from '../../../core/operation.ts'
import { closeCodes, reasonOf } from '../doors/closing.ts'
import {
  maxCommandsWaiting,
  maxConnectionsOfAddress,
  maxOfHolder,
  maxStreamsOfAddress,
  ofAnonymous,
  ofUser,
  updateBytes,
} from '../doors/limits.ts'
import { DocumentBody, incoming } from '../doors/packets.ts'
import { exampleOfCommand } from './asyncapi-messages.ts'
import { type DocumentEntry, type EphemeralEntry, patternOf, type TopicEntry } from './catalogue.ts'
import {
  type IncomingType,
  incomingWords,
  type OutgoingType,
  outgoingWords,
  packetSchema,
  wireTypeOf,
} from './packet-words.ts'
import { block, code, codes, members, path, prose, spelled, table, terms } from './reference-parts.ts'
import { conducts, errors } from './reference-words.ts'

/** The sections of the reference that list what there is. */

// Topics

export function topicList(topics: readonly TopicEntry[]): Html {
  return html`
<p>Put a GUID or a short id in place of what stands in braces. The members of a query narrow a list; they are those of the read, without its pages: a topic is the first page. There is <a href="/api/realtime/topics">the same list as JSON</a>.</p>
${index(topics.map(({ operation, pattern }) => ({ id: `topic-${operation.name}`, title: pattern })))}${topics.map(topicEntry)}`
}

/** Of topics that tell of results. */
const delayedTerm = [html`Stream delay`, html`with <code>delayed</code>`] as const

function topicEntry({ operation, pattern, query, scope, audiences, facts, canBeDelayed }: TopicEntry): Html {
  const { name, summary, allow } = operation
  const members = query.map((member) => html`<li><code>${member.name}</code>: ${prose(member.description)}</li>`)
  return html`<section>
<h3 id="topic-${name}">${path(pattern)}</h3>
<p>${prose(summary)} ${restLink(operation)}</p>
${terms([
  [html`Who may follow`, scope === 'public' ? html`${allow.who}` : html`${allow.who}, with ${code(scope)}`],
  [html`Content`, audienceWords(audiences)],
  ...(query.length === 0 ? [] : [[html`Query`, html`<ul>${members}</ul>`] as const]),
  ...(facts.length === 0 ? [] : [[html`Facts`, codes(facts)] as const]),
  ...(canBeDelayed ? [delayedTerm] : []),
])}</section>
`
}

export function ephemeralList(entries: readonly EphemeralEntry[]): Html {
  return html`
<p>These hold what is true for a moment: scores while a map is played, who looks at what. Nothing of it is stored. You subscribe as to any topic, and get <a href="#packet-state"><code>state</code></a> packets: first all values, then the newest of each key that has changed, at most <code>rate</code> times a second. There are no positions and no facts. A value goes when it is not told again in time; who may write does so by <a href="#packet-publish"><code>publish</code></a>.</p>
${entries.map(ephemeralEntry)}`
}

function ephemeralEntry({ topic, name, pattern, who, scope }: EphemeralEntry): Html {
  const keys = topic.keys.map(
    ({
      form,
      description,
      schema,
    }) => html`<li><code>${form}</code>: ${prose(description)} Members: ${codes(Object.keys(schema.properties))}.</li>
`,
  )
  return html`<section>
<h3 id="topic-${name}">${path(pattern)}</h3>
<p>${prose(topic.summary)}</p>
${terms([
  [html`Who may follow`, scope === 'public' ? html`${who}` : html`${who}, with ${code(scope)}`],
  [html`Keys`, html`<ul>${keys}</ul>`],
  [html`Gone after`, html`${topic.expiresMs / 1_000} seconds`],
])}</section>
`
}

export function documentList(entries: readonly DocumentEntry[]): Html {
  return html`
<p>These are edited by several people at once, over sockets alone. They are documents of Yjs (of the library <code>yjs</code>), whose updates merge in whatever order they come. Subscribe with <code>generation</code> and <code>vector</code> of the document that you hold, or with neither: the <code>snapshot</code> has what you lack.</p>
${members(DocumentBody)}
<p>Write by the <code>clientId</code> of the snapshot. Send what you do as <a href="#packet-update"><code>update</code></a>; it is stored once <code>accepted</code> has come. After a break, subscribe again, apply the snapshot, and send what the service’s <code>vector</code> lacks of yours. With another <code>generation</code> than yours, begin with a new document: what you had not sent does not fit into it.</p>
<p>A snapshot that you did not ask for says that you may edit from now on, or only read, or that the document was made anew.</p>
${entries.map(documentEntry)}`
}

function documentEntry({ kind: { summary, description, reads }, name, pattern }: DocumentEntry): Html {
  return html`<section>
<h3 id="topic-${name}">${path(pattern)}</h3>
<p>${prose(summary)} ${prose(description)}</p>
${terms([[html`Who may follow`, html`${reads.who.replace(/,$/, '')}, with ${code('ws:read')}`]])}</section>
`
}

function audienceWords(audiences: readonly string[]): Html {
  const shared = audiences.filter((name) => name !== 'own').map((name) => (name === 'public' ? 'the public' : name))
  if (shared.length === 0) return html`each user’s own`
  const same = shared.length === 1 ? html`the same for everybody` : html`differs between ${listed(shared)}`
  return audiences.includes('own') ? html`${same}, but certain users have their own` : same
}

function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].join(' and ')
}

/** Links to the entries of a section. */
function index(entries: readonly { readonly id: string; readonly title: string }[]): Html {
  return html`<ul class="index">
${entries.map(
  ({ id, title }) => html`<li><a href="#${id}">${path(title)}</a></li>
`,
)}</ul>
`
}

function restLink(operation: Operation): Html {
  const [tag] = operation.name.split('.')
  const place = `tag/${tag}/${operation.method}${patternOf(operation)}`
  return html`<a class="rest" href="/api/docs/#${place}">REST: ${operation.name}</a>`
}

// Commands

export function commandList(commands: readonly CommandOperation[]): Html {
  const shown = commands.find(({ name }) => name === 'matches.start') ?? commands[0]
  return html`
<p>These operations can be carried out over the socket, by their names. <code>params</code> are what stands in braces in the address; <code>query</code> and <code>body</code> are those of REST, and so are rights, refusals and results. The token needs <code>ws:write</code> and nothing else; for those about the match assistant <code>assistant</code> does too. Whatever is not in this list is for REST alone.</p>
${shown === undefined ? '' : block(spelled(exampleOfCommand(shown)))}
<p>Each command gets one answer, a <code>result</code> or an <code>error</code>. The commands of a connection run one after another. A result comes after the packets of what it changed; with <code>behind: true</code>, some of them may still come.</p>
<p>Give each command a <code>key</code> of your own making. When the answer is lost, send the same again with the same key, on any connection, within a day: it is carried out once, and you get the first answer, with <code>replayed: true</code>.</p>
${index(commands.map(({ name }) => ({ id: `command-${name}`, title: name })))}${commands.map(commandEntry)}`
}

function commandEntry(command: CommandOperation): Html {
  const params = parametersOf(command.path)
  return html`<section>
<h3 id="command-${command.name}"><code>${command.name}</code></h3>
<p>${prose(command.summary)} ${restLink(command)}</p>
${terms([
  [html`Who may`, html`${command.allow.who.replace(/,$/, '')}`],
  ...(params.length === 0 ? [] : [[html`Params`, codes(params)] as const]),
])}</section>
`
}

// Packets

export function packetList(types: readonly (IncomingType | OutgoingType)[]): Html {
  return html`${types.map(packetEntry)}`
}

function packetEntry(type: IncomingType | OutgoingType): Html {
  const isSent = type in incoming
  const { summary, example } = isSent ? incomingWords[type as IncomingType] : outgoingWords[type as OutgoingType]
  return html`<section>
<h3 id="packet-${type}"><code>${wireTypeOf(type)}</code></h3>
<p>${prose(summary)} ${doorWords(isSent ? 'socket' : outgoingWords[type as OutgoingType].door)}</p>
${members(packetSchema(type))}${block(spelled(example))}</section>
`
}

function doorWords(door: 'socket' | 'stream' | undefined): string {
  if (door === undefined) return 'Sockets and streams.'
  return door === 'socket' ? 'Sockets alone.' : 'Streams alone.'
}

// Limits, closing, errors

const number = new Intl.NumberFormat('en')
const cell = (value: number | string) => html`${typeof value === 'number' ? number.format(value) : value}`

export function limits(): Html {
  const rows: [string, number | string, number | string][] = [
    ['Open sockets', `${maxConnectionsOfAddress} per address`, maxOfHolder.socket],
    ['Open streams', `${maxStreamsOfAddress} per address`, maxOfHolder.stream],
    ['Topics on a socket', ofAnonymous.subscriptions, ofUser.subscriptions],
    ['Topics of a stream', 20, 20],
    ['Bytes of a packet', ofAnonymous.packetBytes, ofUser.packetBytes],
    ['Bytes of an update', '–', updateBytes],
    ['Updates a second', '–', ofUser.publishPerSecond],
    ['Packets a second', ofAnonymous.packetsPerSecond, ofUser.packetsPerSecond],
    ['Packets at once', ofAnonymous.burst, ofUser.burst],
    ['Commands that wait', '–', maxCommandsWaiting],
  ]
  return html`
<p>What holds for your connection stands in <code>hello</code> and <code>authenticated</code>. Beyond a limit you get an error, which says when to come back, or the connection closes.</p>
${table(
  ['', 'Without a token', 'Signed in'],
  rows.map(([what, anonymous, user]) => [html`${what}`, cell(anonymous), cell(user)]),
)}
<p>A topic that many share changes at most 20 times a second, one of your own once a second. With a body above 64 KiB it changes at most four times a second, above 1 MiB once. A body above 4 MiB cannot be followed.</p>
<p>Answer pings, as every WebSocket library does by itself; who is silent for a minute is cut off. If you hear nothing for a minute, connect again.</p>
`
}

export function closing(): Html {
  return html`
<p>The code of the close says what to do. A stream says the same in its last packet, <a href="#packet-closing"><code>closing</code></a>. Before a restart a socket gets <a href="#packet-draining"><code>draining</code></a>, which says when to come back.</p>
${conducts.map(({ from, name, words }) => {
  const those = closeCodes.filter((each) => each >= from && each < from + 100)
  return html`<h3 id="closing-${from}">${from}–${from + 99}: ${name}</h3>
<p>${words}</p>
${table(
  ['Code', 'Reason'],
  those.map((each) => [html`${each}`, html`${reasonOf(each)}`]),
)}`
})}`
}

export function errorList(): Html {
  return html`
<p>A refusal on the socket is the packet <a href="#packet-error"><code>error</code></a>; before a stream has begun it is the HTTP error. Go by the <code>code</code>: the sentence beside it may change. A topic that is hidden from you answers exactly as one that does not exist.</p>
${terms(errors.map(({ code: name, status, words }) => [html`${code(name)} <span class="mark">${status}</span>`, prose(words)]))}
<p>A command may also be refused with what its REST operation names.</p>
`
}
