import { useState } from 'react'
import type { AwardCategory, Awards } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Empty, Failure } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import styles from './awards.module.css'
import { CategoryForm } from './category-form.tsx'
import { hasReached, inOrder, isReady, standing } from './editions.ts'

/** The categories of an edition in their order: what is nominated there, how long the shortlist is, which badge is won. */
export function Categories({ awards }: { readonly awards: Awards }) {
  const { guid, status } = awards
  const categories = inOrder(awards.categories)
  const order = useWrite('PUT /awards/{edition}/categories/order', (known) => known.renew('/awards'))
  const mayAdd = status === 'draft' || status === 'nominating'
  const move = (at: number, by: -1 | 1) => {
    const guids = categories.map((category) => category.guid)
    const [moved = ''] = guids.splice(at, 1)
    void order.send({ params: { edition: guid }, body: { guids: guids.toSpliced(at + by, 0, moved) } })
  }
  return (
    <>
      <Section title={words('admin-awards.part-categories')}>
        {categories.length === 0 ? (
          <Empty>{words('admin-awards.categories-none')}</Empty>
        ) : (
          <ol className="lines">
            {categories.map((category, at) => (
              <li key={category.guid} className={styles.category}>
                <Facts category={category} status={status} />
                <div className="btns">
                  {([-1, 1] as const).map((by) => (
                    <button
                      key={by}
                      type="button"
                      className="btn btn-quiet btn-icon"
                      aria-disabled={order.isSending || categories[at + by] === undefined}
                      aria-label={words(by < 0 ? 'admin-awards.up' : 'admin-awards.down', { name: category.name })}
                      onClick={() => move(at, by)}
                    >
                      <Icon name={by < 0 ? 'up' : 'down'} />
                    </button>
                  ))}
                  {status !== 'published' && status !== 'cancelled' && <Edit awards={awards} category={category} />}
                  {status === 'draft' && <Removal edition={guid} category={category} />}
                </div>
              </li>
            ))}
          </ol>
        )}
        {order.error && <Failure error={order.error} again={order.again} isTrying={order.isSending} />}
      </Section>
      {mayAdd && (
        <Section title={words('admin-awards.category-new')}>
          <CategoryForm key={categories.length} awards={awards} category={null} done={() => {}} />
        </Section>
      )}
    </>
  )
}

interface FactsProps {
  readonly category: AwardCategory
  readonly status: Awards['status']
}

function Facts({ category, status }: FactsProps) {
  const { name, nomineeType, shortlistSize, badgeGuid } = category
  const badge = useRead(badgeGuid === null ? null : address('/badges/{badge}', { badge: badgeGuid })).data
  const count = standing(category).length
  return (
    <div>
      <p className="strong">
        <bdi>{name}</bdi>
      </p>
      <p className="muted">
        {words(`admin-awards.type-${nomineeType}`)}, {words('admin-awards.shortlist-of', { most: shortlistSize })}
        {badge !== undefined && (
          <>
            , {words('admin-awards.wins')} <bdi>{badge.name}</bdi>
          </>
        )}
      </p>
      {hasReached(status, 'nominating') && (
        <State
          shape={isReady(category) ? 'done' : 'waiting'}
          tone={isReady(category) || status === 'nominating' ? 'quiet' : 'warning'}
        >
          {words('admin-awards.on-list', { count, most: shortlistSize })}
        </State>
      )}
    </div>
  )
}

function Edit({ awards, category }: { readonly awards: Awards; readonly category: AwardCategory }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {words('admin-awards.change')}
        <span className="unseen"> {category.name}</span>
      </button>
      {isOpen && (
        <Dialog title={<bdi>{category.name}</bdi>} close={() => setOpen(false)}>
          <CategoryForm awards={awards} category={category} done={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

function Removal({
  edition,
  category: { guid, name },
}: {
  readonly edition: string
  readonly category: AwardCategory
}) {
  const remove = useWrite('DELETE /awards/{edition}/categories/{category}', (known) => known.renew('/awards'))
  return (
    <Danger
      label={words('admin-awards.remove')}
      of={name}
      title={words('admin-awards.remove-title', { name })}
      isPlain
      error={remove.error}
      isSending={remove.isSending}
      act={() => remove.send({ params: { edition, category: guid } })}
    >
      <p>{words('admin-awards.remove-category')}</p>
    </Danger>
  )
}
