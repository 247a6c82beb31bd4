import { useState } from 'react'
import type { Comment } from '../../../../client/generated.ts'
import { type Address, address } from '../../data/api.ts'
import type { Reads } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite, type Writing } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import { Ago, useNow } from '../../parts/time.tsx'
import styles from './pools.module.css'
import { useOwnGuid } from './reads.ts'

/** What poolers say of a suggestion or a map: plain text, in threads that are one deep, as it comes. */

type Body = Reads['/tournaments/{tournament}/suggestions/{suggestion}/comments']['body']

const most = 100

export function SuggestionComments({ guid }: { readonly guid: string }) {
  const tournament = useTournamentId()
  const params = { tournament, suggestion: guid }
  const at = address('/tournaments/{tournament}/suggestions/{suggestion}/comments', params, { limit: most })
  const add = useWrite('POST /tournaments/{tournament}/suggestions/{suggestion}/comments', (known, comment) =>
    known.change(at, (before) => withComment(before, comment)),
  )
  return (
    <Comments
      at={at}
      name={guid}
      send={(body) => add.send({ params, body })}
      isSending={add.isSending}
      error={add.error}
    />
  )
}

export function PoolMapComments({ pool, guid }: { readonly pool: string; readonly guid: string }) {
  const tournament = useTournamentId()
  const params = { tournament, pool, poolMap: guid }
  const at = address('/tournaments/{tournament}/pools/{pool}/maps/{poolMap}/comments', params, { limit: most })
  const add = useWrite('POST /tournaments/{tournament}/pools/{pool}/maps/{poolMap}/comments', (known, comment) =>
    known.change(at, (before) => withComment(before, comment)),
  )
  return (
    <Comments
      at={at}
      name={guid}
      send={(body) => add.send({ params, body })}
      isSending={add.isSending}
      error={add.error}
    />
  )
}

const withComment = (body: Body, comment: Comment): Body => ({
  ...body,
  comments: body.comments.some(({ guid }) => guid === comment.guid)
    ? body.comments.map((each) => (each.guid === comment.guid ? comment : each))
    : [...body.comments, comment],
})

interface Props extends Pick<Writing<never>, 'isSending' | 'error'> {
  readonly at: Address<Body>
  /** Names what is typed, for the tab. */
  readonly name: string
  readonly send: (body: { readonly text: string; readonly replyTo?: string }) => Promise<boolean>
}

function Comments({ at, name, send, isSending, error }: Props) {
  const read = useRead(at, { live: true })
  const may = useMay()
  const [answered, setAnswered] = useState<string | null>(null)
  return (
    <>
      <h3>{words('poolers.comments')}</h3>
      <Loaded of={read} rows={2}>
        {({ comments }) => (
          <>
            {comments.length === 0 && <Empty>{words('poolers.no-comments')}</Empty>}
            <ul className={`lines ${styles.comments}`}>
              {comments
                .filter(({ replyTo }) => replyTo === null)
                .map((comment) => (
                  <li key={comment.guid}>
                    <One comment={comment} at={at} answer={() => setAnswered(comment.guid)} />
                    <ul>
                      {comments
                        .filter(({ replyTo }) => replyTo === comment.guid)
                        .map((reply) => (
                          <li key={reply.guid}>
                            <One comment={reply} at={at} />
                          </li>
                        ))}
                    </ul>
                    {answered === comment.guid && may('suggestions.comment') && (
                      <Write
                        key={comment.guid}
                        name={`${name}-${comment.guid}`}
                        label={words('poolers.reply-to', { name: comment.author?.preferredName ?? '' })}
                        isSending={isSending}
                        error={error}
                        isReply
                        send={async (text) => {
                          const isDone = await send({ text, replyTo: comment.guid })
                          if (isDone) setAnswered(null)
                          return isDone
                        }}
                      />
                    )}
                  </li>
                ))}
            </ul>
          </>
        )}
      </Loaded>
      {may('suggestions.comment') && answered === null && (
        <Write
          name={name}
          label={words('poolers.comment')}
          isSending={isSending}
          error={error}
          send={(text) => send({ text })}
        />
      )}
    </>
  )
}

interface WriteProps extends Pick<Writing<never>, 'isSending' | 'error'> {
  readonly name: string
  readonly label: string
  readonly isReply?: boolean
  readonly send: (text: string) => Promise<boolean>
}

const maxText = 2_000

function Write({ name, label, isSending, error, isReply = false, send }: WriteProps) {
  const form = useForm({ key: `pool-comment-${name}`, saved: { text: '' } })
  const submit = async () => {
    if (form.values.text.trim() !== '' && (await send(form.values.text.trim()))) form.take()
  }
  return (
    <Form className={styles.write} error={error} onSubmit={submit}>
      <TextField form={form} name="text" label={label} rows={2} maxLength={maxText} />
      <Save isSending={isSending} isDisabled={form.values.text.trim() === ''}>
        {words(isReply ? 'poolers.send-reply' : 'poolers.send')}
      </Save>
    </Form>
  )
}

const editableMs = 900_000

interface OneProps {
  readonly comment: Comment
  readonly at: Address<Body>
  readonly answer?: () => void
}

function One({ comment, at, answer }: OneProps) {
  const { guid, author, text, createdAt, editedAt, deleted } = comment
  const tournament = useTournamentId()
  const may = useMay()
  const own = useOwnGuid()
  const now = useNow(30_000)
  const [isEditing, setEditing] = useState(false)
  const params = { tournament, comment: guid }
  const edit = useWrite('PATCH /tournaments/{tournament}/pool-comments/{comment}', (known, after) =>
    known.change(at, (before) => withComment(before, after)),
  )
  const remove = useWrite('DELETE /tournaments/{tournament}/pool-comments/{comment}', (known) =>
    known.change(at, (before) => withComment(before, { ...comment, deleted: true, author: null, text: null })),
  )
  if (deleted) return <p className="muted">{words('poolers.comment-deleted')}</p>
  const isOwn = author?.guid === own
  return (
    <>
      <p className={styles.said}>
        <span className="strong push">
          <bdi>{author?.preferredName}</bdi>
        </span>
        <span className="small muted">
          <Ago at={createdAt} />
          {editedAt !== null && <> {words('poolers.edited')}</>}
        </span>
      </p>
      {isEditing ? (
        <Write
          name={`edit-${guid}`}
          label={words('poolers.comment-again')}
          isSending={edit.isSending}
          error={edit.error}
          send={async (again) => {
            const isDone = await edit.send({ params, body: { text: again } })
            if (isDone) setEditing(false)
            return isDone
          }}
        />
      ) : (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
      <p className="btns">
        {answer !== undefined && may('suggestions.comment') && (
          <button type="button" className={`btn btn-quiet ${styles.small}`} onClick={answer}>
            {words('poolers.reply')}
          </button>
        )}
        {isOwn && now - Date.parse(createdAt) < editableMs && (
          <button type="button" className={`btn btn-quiet ${styles.small}`} onClick={() => setEditing(!isEditing)}>
            {words(isEditing ? 'danger.cancel' : 'poolers.edit')}
          </button>
        )}
        {(isOwn || may('pools.publish')) && (
          <button
            type="button"
            className={`btn btn-quiet ${styles.small}`}
            aria-disabled={remove.isSending}
            onClick={() => void remove.send({ params })}
          >
            {words('poolers.delete-comment')}
          </button>
        )}
      </p>
      {remove.error !== null && (
        <Failure error={remove.error} again={() => void remove.send({ params })} isTrying={remove.isSending} />
      )}
    </>
  )
}
