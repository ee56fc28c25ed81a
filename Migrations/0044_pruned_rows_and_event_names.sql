-- Pruning records the last id that it deleted. Before, a log that began after its first counted row was assumed to be pruned, even if its
-- first rows were erased on request.
INSERT INTO folds (name, through_id)
SELECT 'pruned.clicks', COALESCE((SELECT MIN(id) - 1 FROM clicks WHERE id > 0), counted.through_id)
FROM folds AS beginning, folds AS counted
WHERE beginning.name = 'rollups.clicks.first' AND counted.name = 'rollups.clicks'
    AND beginning.through_id < COALESCE((SELECT MIN(id) FROM clicks WHERE id > 0), beginning.through_id + 1);
INSERT INTO folds (name, through_id)
SELECT 'pruned.sessions', COALESCE((SELECT MIN(id) - 1 FROM sessions WHERE id > 0), counted.through_id)
FROM folds AS beginning, folds AS counted
WHERE beginning.name = 'rollups.sessions.first' AND counted.name = 'rollups.sessions'
    AND beginning.through_id < COALESCE((SELECT MIN(id) FROM sessions WHERE id > 0), beginning.through_id + 1);
INSERT INTO folds (name, through_id)
SELECT 'pruned.events', COALESCE((SELECT MIN(id) - 1 FROM events WHERE id > 0), counted.through_id)
FROM folds AS beginning, folds AS counted
WHERE beginning.name = 'rollups.events.first' AND counted.name = 'rollups.events'
    AND beginning.through_id < COALESCE((SELECT MIN(id) FROM events WHERE id > 0), beginning.through_id + 1);
DELETE FROM folds WHERE name IN ('rollups.clicks.first', 'rollups.sessions.first', 'rollups.events.first');

-- Names of standard events are not case-sensitive; rules store them in upper case.
UPDATE reward_rules SET event = UPPER(event) WHERE UPPER(event) IN (
    'ADD_TO_CART', 'ADD_TO_WISHLIST', 'VIEW_CART', 'INITIATE_PURCHASE', 'ADD_PAYMENT_INFO', 'CLICK_AD', 'PURCHASE', 'RESERVE',
    'SPEND_CREDITS', 'VIEW_AD', 'SEARCH', 'VIEW_ITEM', 'VIEW_ITEMS', 'RATE', 'SHARE', 'INITIATE_STREAM', 'COMPLETE_STREAM',
    'COMPLETE_REGISTRATION', 'COMPLETE_TUTORIAL', 'ACHIEVE_LEVEL', 'UNLOCK_ACHIEVEMENT', 'INVITE', 'LOGIN', 'START_TRIAL', 'SUBSCRIBE',
    'OPT_IN', 'OPT_OUT');
