import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { write } from '../../data/api.ts'
import type { ManagedNotice } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { type Known, useWrite } from '../../data/writes.ts'
import { CheckField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { NoticeBar } from '../../parts/notice.tsx'
import { usePaused } from '../../parts/paused.ts'
import { Section } from '../../parts/section.tsx'
import { ownZone } from '../../parts/time.tsx'
import styles from './notices.module.css'

/** Writes a notice, or changes one, and shows how it will look. */

type Draft = Pick<ManagedNotice, 'title' | 'content' | 'level' | 'link' | 'endsAt' | 'dismissible' | 'audience'> & {
  /** null: at once. */
  readonly startsAt: string | null
}

const empty: Draft = {
  title: '',
  content: '',
  level: 'info',
  link: null,
  startsAt: null,
  endsAt: null,
  dismissible: true,
  audience: 'everyone',
}

const levels = ['info', 'warning', 'critical'] as const
const audiences = ['everyone', 'signed-in', 'staff'] as const

export function NoticeForm({ notice }: { readonly notice: ManagedNotice | undefined }) {
  const saved = useMemo<Draft>(() => (notice === undefined ? empty : draftOf(notice)), [notice])
  const form = useForm<Draft>({ key: `notice-${notice?.guid ?? 'new'}`, saved })
  const navigate = useNavigate({ from: '/admin/notices' })
  const then = (known: Known) => {
    form.take()
    known.renew('/admin/notices')
    void navigate({ search: {} })
  }
  const create = useWrite('POST /notices', then)
  const change = useWrite('PATCH /notices/{notice}', then)
  const { isSending, isDone, error } = notice === undefined ? create : change
  const submit = () => {
    const { link, ...values } = notice === undefined ? form.values : { link: saved.link, ...form.changed }
    const body = { ...values, link: link === '' ? null : link }
    return notice === undefined
      ? create.send({ params: {}, body: body as Draft })
      : change.send({ params: { notice: notice.guid }, body })
  }
  return (
    <Form error={error} isChanged={form.isChanged} onSubmit={submit}>
      <div className={styles.form}>
        <div className="stack">
          <TextField form={form} name="title" label={words('notices.title')} isRequired maxLength={120} />
          <TextField
            form={form}
            name="content"
            label={words('notices.content')}
            hint={words('form.markdown')}
            rows={5}
            isRequired
            maxLength={4_000}
          />
          <TextField form={form} name="link" label={words('notices.link')} type="url" maxLength={2_000} />
          <div className={styles.pair}>
            <SelectField
              form={form}
              name="level"
              label={words('notices.level')}
              options={levels.map((each) => [each, words(`notices.level-${each}`)])}
            />
            <SelectField
              form={form}
              name="audience"
              label={words('notices.audience')}
              options={audiences.map((each) => [each, words(`notices.audience-${each}`)])}
            />
            <InstantField
              form={form}
              name="startsAt"
              zone={ownZone}
              label={words('notices.starts')}
              hint={words('notices.starts-hint')}
            />
            <InstantField
              form={form}
              name="endsAt"
              zone={ownZone}
              label={words('notices.ends')}
              hint={words('notices.ends-hint')}
            />
          </div>
          <CheckField form={form} name="dismissible" label={words('notices.dismissible')} />
          <Save isSending={isSending} isSaved={isDone && !form.isChanged} isDisabled={!form.isChanged}>
            {words(notice === undefined ? 'notices.publish' : 'form.save')}
          </Save>
          {notice !== undefined && (
            <p>
              <Link to="/admin/notices" search={{}}>
                {words('notices.new-instead')}
              </Link>
            </p>
          )}
        </div>
        <Preview draft={form.values} />
      </div>
    </Form>
  )
}

const draftOf = ({ title, content, level, link, startsAt, endsAt, dismissible, audience }: ManagedNotice): Draft => ({
  title,
  content,
  level,
  link,
  startsAt,
  endsAt,
  dismissible,
  audience,
})

function Preview({ draft: { title, content, link, level } }: { readonly draft: Draft }) {
  const asked = usePaused(content)
  const read = useQuery({
    queryKey: ['notice-preview', asked],
    queryFn: () => write('POST /notices/preview', { params: {}, body: { content: asked } }, crypto.randomUUID()),
    enabled: asked.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Section title={words('notices.preview')} level={3}>
      {content.trim() === '' ? (
        <Empty>{words('notices.nothing')}</Empty>
      ) : (
        <Loaded of={read} rows={2}>
          {(html) => (
            <NoticeBar notice={{ title, level, link: link === '' ? null : link, html: { content: html.html } }} />
          )}
        </Loaded>
      )}
    </Section>
  )
}
