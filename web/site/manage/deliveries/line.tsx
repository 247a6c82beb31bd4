import type { ChatDelivery, TournamentWithParts } from '../../../../client/generated.ts'
import { useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { ChatMessage } from '../../parts/chat-message.tsx'
import { Ago, Instant } from '../../parts/time.tsx'
import { DeliveryParts, DeliveryState, isFailed } from '../delivery.tsx'
import { channelName, kindWord } from '../kinds.ts'
import styles from './deliveries.module.css'

/** One delivery: what it is, what became of it, and its messages when they are asked for. */

interface Props {
  readonly of: ChatDelivery
  /** The list that it is in. */
  readonly list: string
  readonly tournament: TournamentWithParts
}

export function DeliveryLine({ of, list, tournament }: Props) {
  const { guid, announcement, channel, createdAt, nextAttemptAt, delivery, messages } = of
  const may = useMay()
  const retry = useWrite('POST /tournaments/{tournament}/deliveries/{chatDelivery}/retry', (known) => known.renew(list))
  const title = titleOf(of)
  return (
    <li className={styles.line}>
      <div>
        <p className="strong" dir="auto">
          {title}
        </p>
        <p className="small muted">
          {announcement === null && <>{words('deliveries.update')}, </>}
          {words('deliveries.channel')} <bdi>{channelName(channel)}</bdi>
          {createdAt !== null && (
            <>
              , <Ago at={createdAt} />
            </>
          )}
        </p>
      </div>
      <div className={styles.state}>
        <DeliveryParts delivery={delivery} />
        <p className="small muted">
          {words('deliveries.attempts', { count: delivery.attempts })}
          {nextAttemptAt !== null && (
            <>
              {' '}
              {words('deliveries.next')} <Instant at={nextAttemptAt} />
            </>
          )}
        </p>
      </div>
      <div className="btns">
        {isFailed(delivery.status) && may('deliveries.retry') && (
          <button
            type="button"
            className="btn btn-primary"
            aria-disabled={retry.isSending}
            onClick={() => void retry.send({ params: { tournament: tournament.guid, chatDelivery: guid } })}
          >
            {words('delivery.again')}
            <span className="unseen">{title}</span>
          </button>
        )}
        {retry.error !== null && (
          <span role="alert">
            <bdi>{retry.error.message || words('form.unreachable')}</bdi>
          </span>
        )}
      </div>
      <details className={styles.messages}>
        <summary className="small">{words('deliveries.messages', { count: messages.length })}</summary>
        {messages.map((message, at) => {
          const part = delivery.parts[at]
          const head = (
            <>
              <span className="muted push">{words('delivery.part', { number: at + 1 })}</span>
              {part !== undefined && <DeliveryState status={part.status} />}
            </>
          )
          return (
            <ChatMessage
              // biome-ignore lint/suspicious/noArrayIndexKey: messages are named by their place
              key={at}
              message={message ?? { content: '', embeds: [] }}
              head={head}
            />
          )
        })}
      </details>
    </li>
  )
}

function titleOf({ announcement, title }: ChatDelivery): string {
  if (announcement !== null) return kindWord(announcement)
  return title === null || title === '' ? words('updates.untitled') : title
}
