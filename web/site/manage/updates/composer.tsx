import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListedTournamentUpdate, TournamentWithParts } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { CheckField, TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { ActLink } from '../act-link.tsx'
import { Cards } from './cards.tsx'
import { type Draft, dropGuid, empty, guidOf, listAddress, maxContent, maxTitle } from './draft.ts'
import { ChatPreview, PagePreview, usePreview } from './preview.tsx'
import { TextTools } from './text-tools.tsx'
import styles from './updates.module.css'

/** What is written, with how it will look next to it. A draft stays in the tab until it is published. (W10) */

interface Props {
  readonly tournament: TournamentWithParts
  /** The update that is edited; undefined for a new one. */
  readonly update: ListedTournamentUpdate | undefined
  readonly hasChat: boolean
  /** When the last update was published. */
  readonly last: string | undefined
}

export function Composer({ tournament, update, hasChat, last }: Props) {
  const { guid } = tournament
  const id = useTournamentId()
  const key = `update-${guid}-${update?.guid ?? 'new'}`
  const { title, content, changes } = update ?? empty
  const saved = useMemo<Draft>(() => ({ title, content, changes, sendToChat: false }), [title, content, changes])
  const form = useForm<Draft>({ key, saved })
  const { values } = form
  const preview = usePreview(guid, values)
  const { save, isSending, isDone, error } = useSaving(tournament, update, form, key)
  const inChat = update === undefined ? values.sendToChat : hasMessages(update)
  const conflicts = Object.keys(form.conflicts).length
  const count = preview.data?.messages.length ?? 0
  return (
    <Form id="composer" error={error} say={say} isChanged={form.isChanged} onSubmit={save}>
      <div className={styles.head}>
        <h2>{update === undefined ? words('composer.new') : words('composer.edit')}</h2>
        <span role="status" className="muted">
          {isSending
            ? words('form.saving')
            : conflicts > 0
              ? words('settings.conflicts', { count: conflicts })
              : form.isChanged
                ? words('composer.kept')
                : isDone
                  ? words(update === undefined ? 'composer.published' : 'form.saved')
                  : ''}
        </span>
        <div className="btns">
          {update !== undefined && (
            <Link to="/manage/$tournament/updates" params={{ tournament: id }} search={{}} className="btn">
              {words('composer.stop')}
            </Link>
          )}
          {form.isChanged && (
            <button type="button" className="btn" aria-disabled={isSending} onClick={() => form.take()}>
              {words('settings.discard')}
            </button>
          )}
          <button
            type="submit"
            className="btn btn-primary"
            aria-disabled={
              isSending || conflicts > 0 || values.content.trim() === '' || (update !== undefined && !form.isChanged)
            }
          >
            {update !== undefined
              ? words('composer.save')
              : inChat
                ? words('composer.publish-chat', { count: Math.max(1, count) })
                : words('composer.publish')}
          </button>
        </div>
      </div>
      <div className={styles.composer}>
        <Section
          title={words('composer.write')}
          beside={<span className="muted">{words('form.markdown')}</span>}
          level={3}
        >
          <div className={styles.fields}>
            <TextField form={form} name="title" label={words('composer.title')} maxLength={maxTitle} />
            <div className={styles.text}>
              <TextTools change={(text) => form.set('content', text)} />
              <TextField
                form={form}
                name="content"
                label={words('composer.text')}
                hint={words('composer.length', { count: values.content.length, most: maxContent })}
                maxLength={maxContent}
                rows={12}
                isRequired
              />
            </div>
            <Cards form={form} tournament={tournament} last={update === undefined ? last : update.createdAt} />
            <fieldset>
              <legend className="strong">{words('composer.where')}</legend>
              <p className={styles.place}>
                <span>{words('composer.page')}</span>
                <span className="muted">{words('composer.always')}</span>
              </p>
              {update === undefined && hasChat && (
                <CheckField
                  form={form}
                  name="sendToChat"
                  label={words('composer.chat')}
                  hint={words('composer.chat-hint', { count: Math.max(1, count) })}
                />
              )}
              {update === undefined && !hasChat && (
                <p className="muted">
                  {words('composer.no-chat')}{' '}
                  <ActLink act="tournaments.update" hash="chat">
                    {words('composer.set-chat')}
                  </ActLink>
                </p>
              )}
              {update !== undefined && (
                <p className={styles.place}>
                  <span>{words('composer.chat')}</span>
                  <span className="muted">{words(inChat ? 'composer.chat-follows' : 'composer.chat-never')}</span>
                </p>
              )}
            </fieldset>
          </div>
        </Section>
        <PagePreview tournament={tournament} draft={values} read={preview} at={update?.createdAt} />
        <ChatPreview read={preview} isSent={inChat} draft={values} />
      </div>
    </Form>
  )
}

const hasMessages = ({ delivery }: ListedTournamentUpdate) => delivery !== undefined && delivery.status !== 'none'

function say(error: ApiError): string {
  if (error.code === 'update.stale') return words('composer.stale')
  return error.message
}

function useSaving(
  tournament: TournamentWithParts,
  update: ListedTournamentUpdate | undefined,
  form: ReturnType<typeof useForm<Draft>>,
  key: string,
) {
  const id = useTournamentId()
  const navigate = useNavigate()
  const publish = useWrite('POST /tournaments/{tournament}/updates', (known) => {
    form.take()
    dropGuid(key)
    known.renew(listAddress(id))
  })
  const edit = useWrite('PATCH /tournaments/{tournament}/updates/{update}', (known, reply) => {
    form.take()
    known.change(listAddress(id), (list) => ({
      ...list,
      updates: list.updates.map((each) =>
        each.guid === reply.update.guid ? { ...each, ...reply.update, delivery: reply.delivery } : each,
      ),
    }))
    known.renew(listAddress(id))
  })
  const { title, content, changes, sendToChat } = form.values
  const save = async () => {
    if (update === undefined) {
      const body = { guid: guidOf(key), title, content, changes, sendToChat }
      const failure = await publish.attempt({ params: { tournament: tournament.guid }, body })
      // Its first text went out, though its answer was lost: this one is another update.
      if (failure instanceof ApiError && failure.code === 'update.guid_reused') dropGuid(key)
      return
    }
    const body = { title, content, changes, expectedUpdatedAt: update.updatedAt }
    if (await edit.send({ params: { tournament: tournament.guid, update: update.guid }, body }))
      await navigate({ to: '/manage/$tournament/updates', params: { tournament: id }, search: {} })
  }
  const at = update === undefined ? publish : edit
  return { save, isSending: at.isSending, isDone: at.isDone, error: at.error }
}
