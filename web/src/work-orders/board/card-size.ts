/** All cards are as tall as each other, so that a column of thousands knows where each one is without drawing it. */
export const CARD_HEIGHT = 124
export const CARD_GAP = 8
export const CARD_STEP = CARD_HEIGHT + CARD_GAP
