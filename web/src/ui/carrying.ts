import { AutoScroller, Cursor, type DragDropManager, Feedback, PreventSelection, StyleInjector } from '@dnd-kit/dom'

const standing = new Set<string>()

/**
 * The styles of what is carried stand in the page once and for all, and in no layer: a layer that comes and goes with each
 * drag has the whole page laid out anew. Those that are for everything count while something is carried.
 */
class StandingStyles extends Cursor {
  constructor(manager: DragDropManager) {
    const injector = manager.registry.plugins.get(StyleInjector)
    if (injector)
      injector.register = (rules) => {
        if (!standing.has(rules)) {
          const style = document.createElement('style')
          style.textContent = rules.replace('@layer dnd-kit', '@media all').replace(/^\*/, ':root[data-carrying] *')
          document.head.prepend(style)
          standing.add(rules)
        }
        return () => {}
      }
    super(manager)
    this.registerEffect(() => {
      if (manager.dragOperation.status.idle) return
      document.documentElement.setAttribute('data-carrying', '')
      return () => document.documentElement.removeAttribute('data-carrying')
    })
  }
}

/** What drags a card. Its announcements are our own: they know columns and places. */
export const carrying = [StandingStyles, AutoScroller, Feedback, PreventSelection]
