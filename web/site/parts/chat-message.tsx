import { type ReactNode, useMemo } from 'react'
import { words } from '../data/words.ts'
import styles from './chat-message.module.css'
import { fullOf } from './time.tsx'

/** A message as a chat shows it. Its Markdown is that of the chat, made into elements here; none of it is markup. */

export interface Embed {
  readonly title?: string
  readonly description?: string
  readonly fields?: readonly { readonly name: string; readonly value: string; readonly inline?: boolean }[]
}

interface Props {
  readonly message: { readonly content: string; readonly embeds: readonly Embed[] }
  /** Above it: its number, and how long it is. */
  readonly head?: ReactNode
}

export function ChatMessage({ message: { content, embeds }, head }: Props) {
  return (
    <div className={styles.message}>
      {head !== undefined && <div className={styles.head}>{head}</div>}
      {content !== '' && <ChatText text={content} />}
      {embeds.map((embed, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards have no names of their own
        <div key={at} className={styles.embed}>
          {embed.title !== undefined && (
            <p className="strong">
              <ChatText text={embed.title} />
            </p>
          )}
          {embed.description !== undefined && <ChatText text={embed.description} />}
          {embed.fields !== undefined && (
            <dl className={styles.fields}>
              {embed.fields.map(({ name, value, inline }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <div key={place} className={inline === true ? undefined : styles.whole}>
                  <dt className="small muted" dir="auto">
                    {name}
                  </dt>
                  <dd>
                    <ChatText text={value} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      ))}
    </div>
  )
}

export function ChatText({ text }: { readonly text: string }) {
  return useMemo(
    () => (
      <span className={styles.text} dir="auto">
        {text.split('\n').map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names
          <Line key={at} line={line} />
        ))}
      </span>
    ),
    [text],
  )
}

const heading = /^#{1,3} (?<rest>.*)$/
const item = /^(?<indent> *)[-*] (?<rest>.*)$/
const quote = /^> (?<rest>.*)$/

function Line({ line }: { readonly line: string }) {
  const head = heading.exec(line)?.groups?.rest
  if (head !== undefined) return <span className={`${styles.line} strong`}>{inline(head)}</span>
  const listed = item.exec(line)?.groups
  if (listed !== undefined) return <span className={`${styles.line} ${styles.item}`}>{inline(listed.rest ?? '')}</span>
  const quoted = quote.exec(line)?.groups?.rest
  if (quoted !== undefined) return <span className={`${styles.line} ${styles.quote}`}>{inline(quoted)}</span>
  return <span className={styles.line}>{line === '' ? '\u00a0' : inline(line)}</span>
}

/** What begins and ends with the same mark, and what has a form of its own; the first that fits a place counts. */
const token =
  /\\(?<escaped>[^\w\s])|\*\*(?<bold>(?:\\.|[^\\])+?)\*\*|__(?<under>(?:\\.|[^\\])+?)__|~~(?<gone>(?:\\.|[^\\])+?)~~|\*(?<italic>(?:\\.|[^*\\])+?)\*|_(?<slanted>(?:\\.|[^_\\])+?)_(?!\w)|`(?<code>[^`]+)`|\[(?<label>(?:\\.|[^\]\\])+)\]\(<?(?<link>https?:\/\/[^)\s>]+)>?\)|<t:(?<time>\d+)(?::\w)?>|<@&(?<role>\d+)>|<(?<bare>https?:\/\/[^\s>]+)>/gsu

function inline(text: string): readonly ReactNode[] {
  const shown: ReactNode[] = []
  let done = 0
  for (const match of text.matchAll(token)) {
    shown.push(text.slice(done, match.index))
    done = match.index + match[0].length
    shown.push(<Part key={match.index} groups={match.groups ?? {}} />)
  }
  shown.push(text.slice(done))
  return shown
}

function Part({ groups }: { readonly groups: Readonly<Record<string, string | undefined>> }) {
  const { escaped, bold, under, gone, italic, slanted, code, label, link, time, role, bare } = groups
  if (escaped !== undefined) return <>{escaped}</>
  if (bold !== undefined) return <strong>{inline(bold)}</strong>
  if (under !== undefined) return <u>{inline(under)}</u>
  if (gone !== undefined) return <s>{inline(gone)}</s>
  if (code !== undefined) return <code>{code}</code>
  if (time !== undefined) {
    const at = new Date(Number(time) * 1_000).toISOString()
    return (
      <time dateTime={at} className={styles.time} title={words('chat.time')}>
        {fullOf(at)}
      </time>
    )
  }
  if (role !== undefined) return <span className={styles.role}>{words('chat.role', { id: role })}</span>
  if (bare !== undefined) return <span className={styles.link}>{bare}</span>
  // A preview leads nowhere: the page of the update has the links.
  if (label !== undefined)
    return (
      <span className={styles.link} title={link}>
        {inline(label)}
      </span>
    )
  return <em>{inline(italic ?? slanted ?? '')}</em>
}
