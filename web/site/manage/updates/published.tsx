import { Link, useNavigate } from '@tanstack/react-router'
import type { ListedTournamentUpdate, TournamentWithParts } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { FollowedList } from '../../parts/followed-list.tsx'
import { Section } from '../../parts/section.tsx'
import { Ago } from '../../parts/time.tsx'
import { DeliveryParts, isFailed, isUnderWay } from '../delivery.tsx'
import { listAddress } from './draft.ts'
import styles from './updates.module.css'

/** What was published, and what became of it in the chat. */

interface Props {
  readonly tournament: TournamentWithParts
  /** The one that is edited. */
  readonly edited: string | undefined
}

export function Published(props: Props) {
  const id = useTournamentId()
  return (
    <Section title={words('composer.list-title')}>
      <FollowedList at={listAddress(id)} itemsOf={({ updates }) => updates} empty={words('composer.none')} rows={4}>
        {(updates, isOld) => <Lines updates={updates} isOld={isOld} {...props} />}
      </FollowedList>
    </Section>
  )
}

interface LinesProps extends Props {
  readonly updates: readonly ListedTournamentUpdate[]
  /** Beyond those that are followed, which alone can be edited. */
  readonly isOld: boolean
}

function Lines({ updates, tournament, edited, isOld }: LinesProps) {
  return (
    <ul className="lines">
      {updates.map((update) => (
        <Line
          key={update.guid}
          update={update}
          tournament={tournament}
          isEdited={update.guid === edited}
          isOld={isOld}
        />
      ))}
    </ul>
  )
}

interface LineProps {
  readonly update: ListedTournamentUpdate
  readonly tournament: TournamentWithParts
  readonly isEdited: boolean
  readonly isOld: boolean
}

function Line({ update, tournament, isEdited, isOld }: LineProps) {
  const id = useTournamentId()
  const { guid, createdAt, updatedAt, delivery } = update
  const title = update.title === '' ? words('updates.untitled') : update.title
  const status = delivery?.status ?? 'none'
  return (
    <li className={styles.line}>
      <div>
        <Link to="/t/$tournament/updates" params={{ tournament: id }} hash={guid} className="strong plain" dir="auto">
          {title}
        </Link>
        <p className="small muted">
          <Ago at={createdAt} />
          {updatedAt !== null && (
            <>
              {', '}
              {words('composer.edited')} <Ago at={updatedAt} />
            </>
          )}
        </p>
      </div>
      {delivery !== undefined && <DeliveryParts delivery={delivery} />}
      <div className="btns">
        {isFailed(status) && <Retry update={update} tournament={tournament} />}
        {isUnderWay(status) ? (
          <span className="small muted">{words('composer.under-way')}</span>
        ) : (
          <>
            {!isOld && !isEdited && (
              <Link
                to="/manage/$tournament/updates"
                params={{ tournament: id }}
                search={{ update: guid }}
                className="btn"
                resetScroll
              >
                {words('composer.edit-this')}
                <span className="unseen">{title}</span>
              </Link>
            )}
            <Delete update={update} tournament={tournament} title={title} isEdited={isEdited} />
          </>
        )}
      </div>
    </li>
  )
}

function Retry({ update, tournament }: Pick<LineProps, 'update' | 'tournament'>) {
  const id = useTournamentId()
  const { send, isSending, error } = useWrite(
    'POST /tournaments/{tournament}/updates/{update}/chat',
    (known, delivery) =>
      known.change(listAddress(id), (list) => ({
        ...list,
        updates: list.updates.map((each) => (each.guid === update.guid ? { ...each, delivery } : each)),
      })),
  )
  return (
    <>
      <button
        type="button"
        className="btn btn-primary"
        aria-disabled={isSending}
        onClick={() => void send({ params: { tournament: tournament.guid, update: update.guid } })}
      >
        {words('delivery.again')}
      </button>
      {error !== null && (
        <span role="alert">
          <bdi>{error.message || words('form.unreachable')}</bdi>
        </span>
      )}
    </>
  )
}

/** It cannot be taken back: its title is typed. (W19) */
function Delete({
  update: { guid, updatedAt, delivery },
  tournament,
  title,
  isEdited,
}: Omit<LineProps, 'isOld'> & { readonly title: string }) {
  const id = useTournamentId()
  const navigate = useNavigate()
  const { send, isSending, error } = useWrite('DELETE /tournaments/{tournament}/updates/{update}', (known) => {
    known.change(listAddress(id), (list) => ({ ...list, updates: list.updates.filter((each) => each.guid !== guid) }))
    known.renew(listAddress(id))
  })
  const messages = delivery?.parts.filter(({ messageId }) => messageId !== null).length ?? 0
  return (
    <Danger
      label={words('composer.delete')}
      title={words('composer.delete-title', { title })}
      typed={title}
      error={error}
      isSending={isSending}
      act={async () => {
        const sent = { params: { tournament: tournament.guid, update: guid }, body: { expectedUpdatedAt: updatedAt } }
        const isDone = await send(sent)
        if (isDone && isEdited)
          await navigate({ to: '/manage/$tournament/updates', params: { tournament: id }, search: {} })
        return isDone
      }}
    >
      <p>{words('composer.delete-text', { messages })}</p>
    </Danger>
  )
}
