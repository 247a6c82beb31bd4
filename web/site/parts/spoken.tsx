import { words } from '../data/words.ts'

/** How a name is spoken; nothing where that is not known. */
export function Spoken({ of, className }: { readonly of: string | null; readonly className?: string | undefined }) {
  if (of === null) return null
  return (
    <span className={className ?? 'muted small'}>
      {words('spoken.as')} <bdi>{of}</bdi>
    </span>
  )
}
