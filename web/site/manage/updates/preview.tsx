import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { write } from '../../data/api.ts'
import type { UpdatePreview } from '../../data/generated.ts'
import type { Read } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { ChangeCards } from '../../parts/change-cards.tsx'
import { ChatMessage } from '../../parts/chat-message.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { usePaused } from '../../parts/paused.ts'
import { Prose } from '../../parts/prose.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import type { Draft } from './draft.ts'
import styles from './updates.module.css'

/** The update as a page and as messages, made by the service as it will send them. */

const messageCharacters = 2_000

export function usePreview(tournament: string, { title, content, changes }: Draft): Read<UpdatePreview> {
  const text = JSON.stringify({ title, content, changes })
  const asked = usePaused(text)
  const body = JSON.parse(asked) as Pick<Draft, 'title' | 'content' | 'changes'>
  return useQuery({
    queryKey: ['preview', tournament, asked],
    queryFn: () =>
      write('POST /tournaments/{tournament}/updates/preview', { params: { tournament }, body }, crypto.randomUUID()),
    enabled: body.content.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: 1,
  }) as Read<UpdatePreview>
}

interface Props {
  readonly draft: Draft
  readonly read: Read<UpdatePreview>
}

function Previewed({ draft, read, children }: Props & { readonly children: (preview: UpdatePreview) => ReactNode }) {
  if (draft.content.trim() === '') return <Empty>{words('composer.nothing')}</Empty>
  return (
    <Loaded of={{ ...read, data: read.error === null ? read.data : undefined }} rows={4}>
      {children}
    </Loaded>
  )
}

export function PagePreview({
  tournament,
  at,
  ...props
}: Props & { readonly tournament: TournamentWithParts; readonly at: string | undefined }) {
  const { draft } = props
  const [isPhone, setPhone] = useState(false)
  return (
    <Section
      level={3}
      title={words('composer.as-page')}
      beside={
        <span className="choices only-wide">
          <button type="button" className="btn" aria-pressed={!isPhone} onClick={() => setPhone(false)}>
            {words('composer.wide')}
          </button>
          <button type="button" className="btn" aria-pressed={isPhone} onClick={() => setPhone(true)}>
            {words('composer.phone')}
          </button>
        </span>
      }
    >
      <Previewed {...props}>
        {({ html }) => (
          <article className={`${styles.sheet} ${isPhone ? styles.phone : ''}`}>
            <p className="small muted">
              <bdi>{tournament.name}</bdi>, {at === undefined ? words('composer.now') : <Instant at={at} />}
            </p>
            <p className={styles.title} dir="auto">
              {draft.title === '' ? words('updates.untitled') : draft.title}
            </p>
            <Prose html={html.content} />
            {draft.changes.length > 0 && <ChangeCards changes={draft.changes} />}
          </article>
        )}
      </Previewed>
    </Section>
  )
}

export function ChatPreview({ isSent, ...props }: Props & { readonly isSent: boolean }) {
  return (
    <Section
      level={3}
      title={words('composer.as-chat')}
      beside={<span className="muted">{words(isSent ? 'composer.as-sent' : 'composer.not-sent')}</span>}
    >
      <Previewed {...props}>
        {({ messages }) => (
          <>
            <div className={styles.messages}>
              {messages.map((message, at) => (
                <ChatMessage
                  // biome-ignore lint/suspicious/noArrayIndexKey: messages are named by their place
                  key={at}
                  message={message}
                  head={
                    <>
                      <span className="muted push">
                        {words('composer.message', { number: at + 1, count: messages.length })}
                      </span>
                      <span className="code small">
                        {words('composer.length', { count: message.content.length, most: messageCharacters })}
                      </span>
                    </>
                  }
                />
              ))}
            </div>
            <p className="small muted">{words('composer.chat-note')}</p>
          </>
        )}
      </Previewed>
    </Section>
  )
}
