import { Link } from '@tanstack/react-router'
import type { ChatDelivery } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { ChatMessage } from '../../parts/chat-message.tsx'
import { SelectField, TextField } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { Ago } from '../../parts/time.tsx'
import { DeliveryState, isFailed } from '../delivery.tsx'
import { type Kind, kindWord } from '../kinds.ts'
import styles from './announcements.module.css'
import { off, type Values } from './announcements-form.tsx'

/** One kind: when it is sent and what it says, in which channel, which roles it mentions, and what became of the last one. */

interface Props {
  readonly kind: Kind
  readonly form: FormState<Values>
  readonly options: readonly (readonly [value: string, text: string])[]
  /** The message as it would be sent; undefined while it is not known. */
  readonly preview: string | undefined
  /** Its last message. */
  readonly last: ChatDelivery | undefined
}

export function KindLine({ kind, form, options, preview, last }: Props) {
  const isOff = form.values[kind] === off
  return (
    <li className={styles.kind}>
      <div>
        <h3>{kindWord(kind)}</h3>
        <p className="muted">{words(`announcements.when-${kind}` as WordId)}</p>
        {last !== undefined && <Last of={last} />}
      </div>
      <div className={styles.fields}>
        <SelectField
          form={form}
          name={kind}
          label={
            <>
              {words('announcements.channel')}
              <span className="unseen">{kindWord(kind)}</span>
            </>
          }
          options={options}
        />
        {!isOff && (
          <TextField
            form={form}
            name={`roles.${kind}`}
            label={
              <>
                {words('announcements.roles')}
                <span className="unseen">{kindWord(kind)}</span>
              </>
            }
            hint={words('announcements.roles-hint')}
            maxLength={120}
          />
        )}
      </div>
      <div className={styles.preview}>
        {preview !== undefined && <ChatMessage message={{ content: preview, embeds: [] }} />}
      </div>
    </li>
  )
}

function Last({ of: { delivery, createdAt } }: { readonly of: ChatDelivery }) {
  const tournament = useTournamentId()
  const hasFailed = isFailed(delivery.status)
  return (
    <p className="small">
      <span className="muted">{words('announcements.last')}</span> <DeliveryState status={delivery.status} />
      {createdAt !== null && (
        <span className="muted">
          {' '}
          <Ago at={createdAt} />
        </span>
      )}
      {hasFailed && (
        <>
          {': '}
          <bdi>{delivery.lastError}</bdi>{' '}
          <Link to="/manage/$tournament/deliveries" params={{ tournament }} search={{ state: 'failed' }}>
            {words('manage.deliveries')}
          </Link>
        </>
      )}
    </p>
  )
}
