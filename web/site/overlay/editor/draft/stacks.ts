/** Stacks of steps that can be undone. */

export type Stack = { readonly meta: Map<unknown, unknown> }[]

/** The group of the last step; null for a step by itself. */
export function groupOf(stack: Stack): symbol | null {
  return (stack.at(-1)?.meta.get('group') as symbol | undefined) ?? null
}
