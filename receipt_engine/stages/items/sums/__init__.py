"""Corrects the list of products by the sums.

In: products, rows and totals. Out: the products that belong to the list. Decides where it ends in a sum
(`closing_sums`, `running_sum`), which further rows (`candidates`) a total (`targets`) shows to be products
(`missing`, `below_groups`; `marking` makes them products), and where whole numbers have lost their points
(`lost_points`).
"""
